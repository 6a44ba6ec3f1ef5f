//! The numbers that a user can notice: lengths, sizes, counts, times. How often
//! one address may call is in `src/limits/rate_limit/calls.rs`. Numbers that the web
//! app needs are listed in `typescript.rs`, which writes its copy (`make wire`).
//!
//! Lengths count Unicode characters unless the name says bytes.

use std::time::Duration;

// --- Accounts -------------------------------------------------------------

/// Shortest name a person may sign up with.
pub const USERNAME_MIN: usize = 6;
/// Longest name a person may sign up with.
pub const USERNAME_MAX: usize = 16;
/// How many people may sign up with one invitation, and for how many days one works.
pub const INVITATION_USES: u32 = 1_000;
pub const INVITATION_DAYS: u32 = 365;
/// Longest note of the operator about an invitation.
pub const INVITATION_NOTE_MAX: usize = 100;
/// Longest e-mail address: the most an SMTP envelope can carry.
pub const EMAIL_MAX: usize = 254;
/// Shortest password at sign-up and at a reset.
pub const SIGNUP_PASSWORD_MIN: usize = 8;
/// Shortest name or address, and shortest password, worth trying to sign in with.
pub const LOGIN_MIN: usize = 6;
/// Shortest password that may confirm an account's deletion.
pub const DELETE_PASSWORD_MIN: usize = 5;
/// Shortest current and new password in the change form ("Password too short").
pub const CHANGE_PASSWORD_MIN: usize = 5;
/// A new password must be longer than this to be accepted by the change form
/// ("Password do not match").
pub const CHANGE_PASSWORD_OVER: usize = 5;
/// Longest password: more costs hashing time and adds no safety.
pub const PASSWORD_MAX: usize = 128;
/// How long a sign-in lasts.
pub const TOKEN_LIFETIME: Duration = Duration::from_secs(2 * 60 * 60);
/// How long a mailed password-reset link works.
pub const RESET_LIFETIME: Duration = Duration::from_secs(30 * 60);
/// How many reset mails one account can cause in an hour.
pub const RESETS_PER_HOUR: u32 = 3;
/// How long a mailed link works that confirms an address.
pub const CONFIRMATION_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);
/// How many mails to confirm its address one account can ask for in an hour.
pub const CONFIRMATIONS_PER_HOUR: u32 = 3;
/// How many of these mails one address gets in an hour, whoever asks for them.
/// Each names all accounts that wait for the address.
pub const CONFIRMATION_MAILS_PER_HOUR: u32 = 3;
/// The most accounts that such a mail names.
pub const ACCOUNTS_IN_ONE_MAIL: usize = 20;
/// How many wrong passwords one account accepts, from all addresses together,
/// before every further password counts as wrong for a while.
pub const WRONG_PASSWORDS: u32 = 10;
/// The time after which all `WRONG_PASSWORDS` tries are allowed again.
pub const WRONG_PASSWORDS_PER: Duration = Duration::from_secs(15 * 60);
/// How many browsers of an account are known. With one more, the oldest one is
/// forgotten. Together they have `WRONG_PASSWORDS` tries of their own.
pub const KNOWN_BROWSERS: usize = 5;
/// How many wrong passwords a known browser has besides, which nobody else can
/// use up. One access token can use up all but as many of the tries above.
pub const WRONG_PASSWORDS_OF_BROWSER: u32 = 3;
/// How many sign-ins of an account are open at once. One more ends the oldest.
pub const SIGN_INS: usize = 32;
/// For how many days a sign-in from a browser that the account didn't know is kept if its owner doesn't look.
pub const UNKNOWN_SIGN_IN_DAYS: u32 = 30;
/// How many signed-out tokens are remembered one by one. Above that, the next
/// sign-out ends every token of the account.
pub const REVOKED_TOKENS_MAX: usize = 64;

// --- Inbox ----------------------------------------------------------------

/// Shortest anonymous note.
pub const NOTE_MIN: usize = 10;
/// Longest anonymous note.
pub const NOTE_MAX: usize = 280;
/// Most notes one inbox holds; then it refuses new ones until some are deleted.
pub const INBOX_NOTES: u32 = 10_000;
/// Notes on a page of the inbox when the caller names no number.
pub const INBOX_PAGE: usize = 50;
/// Most notes on one page of the inbox.
pub const INBOX_PAGE_MAX: usize = 200;
/// How much time a batch of notes spans, in an inbox that takes batches.
pub const BATCH: Duration = Duration::from_secs(15 * 60);
/// Notes one address may send to one inbox in an hour: enough for a school class
/// behind one address.
pub const NOTES_TO_ONE_PER_HOUR: u32 = 30;
/// Notes one address may send to one inbox in a day.
pub const NOTES_TO_ONE_PER_DAY: u32 = 100;
/// Live inbox sockets one account may hold open at once.
pub const INBOX_SOCKETS_PER_ACCOUNT: usize = 16;
/// Words and phrases that one inbox can hold notes back for.
pub const HELD_WORDS: usize = 200;
/// Longest such word or phrase.
pub const HELD_WORD_MAX: usize = 40;
/// How long a note that was held back is kept.
pub const HELD_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Most notes that one inbox holds back. With more, the oldest are listed no longer, and go with the next sweep.
pub const HELD_NOTES: usize = 500;
/// How many blocks one inbox may have.
pub const BLOCKS: usize = 500;
/// Notes that an owner was shown in `FLOOD_PER`: with more, their shield goes up by itself. One
/// address can't send as many in that time.
pub const FLOOD_NOTES: u32 = 40;
/// With more, also the form without scripts, which can't work, is closed. It takes three addresses.
pub const FLOOD_CLOSES_FORM: u32 = 80;
/// The time in which they are counted.
pub const FLOOD_PER: Duration = Duration::from_secs(10 * 60);
/// Bits of work that are asked when it is calm: some ten thousand tries.
pub const WORK_BITS: u8 = 14;
/// The most bits, in a flood.
pub const WORK_BITS_MOST: u8 = 22;
/// How long the seed of some work is good.
pub const WORK_LASTS: Duration = Duration::from_secs(10 * 60);
/// Bytes of the tag that a browser sends with a note.
pub const TAG_BYTES: usize = 16;
/// For how many days at most the server knows which mark a note came with.
pub const TAG_DAYS: u32 = 7;

// --- Conversations --------------------------------------------------------

/// Longest line of a conversation: as long as the note that it began with.
pub const LINE_MAX: usize = 280;
/// Most lines of a conversation, those that were unsent included.
pub const CONVERSATION_LINES: usize = 100;
/// How many lines in a row the sender may say until the owner answers. Without an
/// account, nobody could be held back otherwise.
pub const LINES_UNANSWERED: usize = 3;
/// How long a conversation is kept after its last line.
pub const CONVERSATION_KEPT: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Open conversations in which one account may have answered. With so many, the owner has to
/// close or end one before they answer in another: only they notice this limit.
pub const CONVERSATIONS_PER_ACCOUNT: u32 = 1_000;
/// Open conversations of one inbox that nobody has answered, whatever became of their notes. With
/// one more, the one that has been silent for the longest ends. One address can't begin as many
/// while they are kept: so nobody with one address can fill an inbox, and see by the end of
/// their own that somebody else has begun one.
pub const CONVERSATIONS_UNANSWERED: u32 = 4_000;
const _: () = assert!(
    CONVERSATIONS_UNANSWERED as u64 > NOTES_TO_ONE_PER_DAY as u64 * (CONVERSATION_KEPT.as_secs() / (24 * 60 * 60) + 1)
);
/// Open conversations of one inbox that were begun with one tag, as long as it is known. With one more, the one that
/// has been silent for the longest of those that nobody has answered ends.
pub const CONVERSATIONS_OF_TAG: usize = 20;
/// Conversations that one call can ask about, for a list that a browser keeps.
pub const CONVERSATIONS_PEEKED: usize = 50;
/// Live sockets that each side of a conversation may hold open at once.
pub const CONVERSATION_SOCKETS_PER_SIDE: usize = 8;

// --- Public answers and personal pages --------------------------------------

/// Longest public answer: a note asks in less than what its answer needs.
pub const ANSWER_MAX: usize = 500;
/// Public answers on a page of the list when the caller names no number.
pub const ANSWERS_PAGE: usize = 20;
/// Longest line that people write about themselves on their page.
pub const PAGE_LINE_MAX: usize = 80;
/// Longest question that people put on their page.
pub const PROMPT_MAX: usize = 80;
/// Most such questions.
pub const PROMPTS: usize = 3;

// --- Feedback -------------------------------------------------------------

/// Shortest feedback.
pub const FEEDBACK_MIN: usize = 10;
/// Longest feedback.
pub const FEEDBACK_MAX: usize = 4_000;
/// Most feedback kept; then the operator has to read some first.
pub const FEEDBACK_KEPT: u32 = 10_000;

// --- Reports and suspension -----------------------------------------------

/// Longest text that somebody adds to a report.
pub const REPORT_MAX: usize = 1_000;
/// Shortest text of a report about a page: it comes from outside, and nothing else is in it.
pub const REPORT_OF_PAGE_MIN: usize = 10;
/// Most lines of a group or a conversation in one report.
pub const REPORT_LINES: usize = 50;
/// Pictures that a report shows at most: each is copied, and a few are enough to judge by.
pub const REPORT_PICTURES: usize = 10;
/// Most reports that wait for the operator; then some have to be closed first.
pub const REPORTS_OPEN: u32 = 5_000;
/// How long a report is kept after the operator has closed it.
pub const REPORT_KEPT: Duration = Duration::from_secs(90 * 24 * 60 * 60);
/// How often at most the operator gets a mail that something waits.
pub const OPERATOR_MAILS_EVERY: Duration = Duration::from_secs(60 * 60);
/// The longest suspension, in days. It can be renewed.
pub const SUSPENSION_DAYS: u32 = 3_650;
/// Longest reason of a suspension.
pub const SUSPENSION_REASON_MAX: usize = 500;
/// Longest words of the operator about a pause.
pub const PAUSE_WORDS_MAX: usize = 200;

// --- What the operator lets lapse ------------------------------------------

/// The fewest and the most days after which notes and feedback can go.
pub const KEPT_DAYS_MIN: u32 = 30;
pub const KEPT_DAYS_MAX: u32 = 365;
/// The fewest and the most days after which an account can go that nobody uses.
pub const UNUSED_DAYS_MIN: u32 = 365;
pub const UNUSED_DAYS_MAX: u32 = 3_650;
/// How long before that its owner is told.
pub const UNUSED_TOLD_BEFORE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// How exactly it is known when an account was last used.
pub const USED_WITHIN: Duration = Duration::from_secs(30 * 24 * 60 * 60);

// --- Rooms ----------------------------------------------------------------

/// Shortest group name.
pub const ROOM_NAME_MIN: usize = 4;
/// Longest group name.
pub const ROOM_NAME_MAX: usize = 30;
/// How many characters of the name a room's header shows.
pub const ROOM_NAME_SHOWN: usize = 20;
/// Groups one account may have alive at once.
pub const ROOMS_PER_ACCOUNT: usize = 50;
/// How often a group can get a new link.
pub const ROOM_LINKS: usize = 20;
/// Most members of a group.
pub const ROOM_MEMBERS: usize = 10;
/// Longest chat message.
pub const CHAT_MAX: usize = 255;
/// Longest caption of a picture.
pub const CAPTION_MAX: usize = 100;
/// Length of a chat message's id, drawn from 62 letters and digits.
pub const CHAT_ID_LEN: usize = 15;
/// How long a group lives if its creator chooses nothing else, in hours.
pub const ROOM_LIFETIME_HOURS: u32 = 24;
/// The shorter life a creator can choose, in hours.
pub const ROOM_SHORT_LIFETIME_HOURS: u32 = 2;
/// Pictures one group holds.
pub const ROOM_PICTURES: usize = 400;
/// Bytes of pictures one group holds.
pub const ROOM_PICTURE_BYTES: usize = 64 * 1024 * 1024;
/// Lines of a group's history on a page when the caller names no number.
pub const ROOM_PAGE: usize = 200;
/// Most lines on one page of a group's history.
pub const ROOM_PAGE_MAX: usize = 500;
/// Fewest lines a group can be set up to keep.
pub const ROOM_MESSAGES_MIN: u32 = 1_000;
/// Bytes a group may keep for each line it is set up to keep. A line counts as
/// its text and 128 bytes, so 255 Latin letters fit. If all lines together have
/// more bytes, the oldest are dropped, even if their number is allowed.
pub const ROOM_LINE_BYTES: usize = 400;
/// The bytes of lines that a group may keep at least, even if it is set up to
/// keep few lines: more than a thousand of the longest.
pub const ROOM_BYTES_MIN: usize = 2 * 1024 * 1024;
/// How long a new seat waits for its member's socket before it is free again.
pub const SEAT_WAITS: Duration = Duration::from_secs(2 * 60);
/// How long a member who has posted nothing may be away before the seat is free
/// for others. A member who has posted keeps the seat.
pub const SEAT_LAPSES: Duration = Duration::from_secs(60 * 60);
/// How long a message can be taken back.
pub const UNSEND_WITHIN: Duration = Duration::from_secs(5 * 60);
/// Different reactions of one member to one message.
pub const REACTIONS_OF_MEMBER: usize = 3;
/// How often one member can react to one message, also if each reaction is taken away
/// again: every one is an event of the group's log, for as long as the message is kept.
pub const REACTIONS_EVER_OF_MEMBER: usize = 20;
/// How often members can react to one message, those who have left included.
pub const REACTIONS_EVER: usize = 200;

/// How long a knock at a group that asks first waits for the creator's answer.
pub const KNOCK_LASTS: Duration = Duration::from_secs(10 * 60);
/// Knocks of one visitor at one group in `KNOCKS_PER`.
pub const KNOCKS_OF_VISITOR: usize = 3;
/// The time in which a visitor's knocks are counted.
pub const KNOCKS_PER: Duration = Duration::from_secs(60 * 60);
/// Knocks that wait at one group at once.
pub const KNOCKS_WAITING: usize = 50;
/// The longest that one call waits for the answer to a knock, in seconds: shorter than what
/// proxies usually allow an answer.
pub const KNOCK_CALL_WAITS: u64 = 25;

// --- Sealed groups --------------------------------------------------------

/// The lengths that a sealed text is padded to, in bytes, so that its length tells little.
pub const SEALED_SIZES: [usize; 5] = [64, 256, 1024, 2048, 4096];
/// The bytes around a sealed text: its version, its nonce and its tag.
pub const SEALED_AROUND: usize = 1 + 12 + 16;
/// A sealed picture is padded to a multiple of this, in bytes.
pub const SEALED_PICTURE_STEP: usize = 16 * 1024;
/// The bytes by which a wrong key is told from the right one.
pub const SEALED_CHECK_BYTES: usize = 8;
/// How a group is called where its own name is sealed.
pub const SEALED_ROOM_NAME: &str = "Sealed group";

// --- Sealed inboxes -------------------------------------------------------

/// The lengths that a sealed note is padded to, in bytes.
pub const SEALED_NOTE_SIZES: [usize; 3] = [512, 1024, 2048];
/// The bytes around a sealed note: its version, the sender's key for this note, and its tag.
pub const SEALED_NOTE_AROUND: usize = 1 + 65 + 16;
/// The bytes of the public key of an inbox: a point of P-256, uncompressed.
pub const INBOX_KEY_BYTES: usize = 65;
/// The bytes of its hash that stand in personal links.
pub const FINGERPRINT_BYTES: usize = 10;
/// The most bytes of the private key, as its owner's browser has wrapped it.
pub const WRAPPED_KEY_MAX: usize = 512;
/// How long a private key that one device hands to another waits for that.
pub const HANDOVER_KEPT: Duration = Duration::from_secs(5 * 60);

// --- Pictures -------------------------------------------------------------

/// Longest side of a stored picture, in pixels.
pub const PICTURE_SIDE: u32 = 1080;
/// Longest side of a picture's small form, in pixels. It is shown until the
/// picture is loaded.
pub const PICTURE_THUMB_SIDE: u32 = 100;
/// JPEG quality of a picture that the web app shrinks, in percent.
pub const PICTURE_QUALITY: u8 = 50;
/// JPEG quality of a picture as the server stores it, in percent. It is higher,
/// so that a picture that was already shrunk loses little.
pub const PICTURE_STORED_QUALITY: u8 = 75;
/// A file no larger than this is sent by the web app as it is, in bytes.
pub const PICTURE_SENT_AS_IS_BYTES: usize = 512_000;
/// Largest picture file accepted, in bytes.
pub const PICTURE_MAX_BYTES: usize = 5 * 1024 * 1024;
/// Bytes of pictures that the living groups of one account hold together:
/// eight full groups.
pub const ACCOUNT_PICTURE_BYTES: u64 = 512 * 1024 * 1024;
/// Bytes of pictures that one address may store in an hour, as the server keeps
/// them: about 1,700 usual pictures, for a school class behind one address.
pub const ADDRESS_PICTURE_BYTES: u32 = 256 * 1024 * 1024;
/// If the operator sets nothing else, all pictures together may fill the disk's
/// size divided by this number.
pub const PICTURES_SHARE: u64 = 4;
/// How long a stored picture is kept that nothing uses: no message, or no
/// feedback.
pub const UNUSED_PICTURE_KEPT: Duration = Duration::from_secs(10 * 60);
/// Largest width or height that is decoded at all, in pixels.
pub const PICTURE_MAX_SIDE: u32 = 4096;
/// Most memory one decoding may take, in bytes.
pub const PICTURE_MAX_MEMORY: u64 = 64 * 1024 * 1024;

// --- Web push -------------------------------------------------------------

/// Subscriptions of one account, or of one conversation's sender: a phone, a tablet and a few browsers. One more takes
/// the place of the oldest.
pub const SUBSCRIPTIONS: usize = 10;
/// Longest address of a subscription, in bytes. Those of the push services there are have a few hundred.
pub const ENDPOINT_MAX: usize = 1024;
/// One kind of message is sent to one subscriber at most once in this time.
pub const PUSH_EVERY: Duration = Duration::from_secs(10 * 60);
/// A message is sent after a random time of at most this much, so that its time doesn't tell what led to it.
pub const PUSH_DELAY_MAX: Duration = Duration::from_secs(30);
/// How long a push service keeps a message for a device that it doesn't reach.
pub const PUSH_KEPT: Duration = Duration::from_secs(24 * 60 * 60);

// --- Requests -------------------------------------------------------------

/// Largest JSON body without a picture in it.
pub const JSON_MAX_BYTES: usize = 16 * 1024;
/// Largest body of a report, in bytes. A report of sealed messages has their words in it.
pub const REPORT_MAX_BYTES: usize = 64 * 1024;
// A character takes at most four bytes, and forty bytes stand around the words of a line.
const _: () =
    assert!(REPORT_LINES * (LINE_MAX * 4 + 40) + REPORT_MAX * 4 + 1024 <= REPORT_MAX_BYTES && LINE_MAX >= CHAT_MAX);
/// How long a whole body may take to arrive.
pub const BODY_TIMEOUT: Duration = Duration::from_secs(15);
/// How long a whole body with a picture in it may take to arrive.
pub const PICTURE_BODY_TIMEOUT: Duration = Duration::from_secs(60);
/// Largest frame on a socket, in bytes.
pub const FRAME_MAX_BYTES: usize = 16 * 1024;
/// How often the server pings a socket.
pub const SOCKET_PING: Duration = Duration::from_secs(15);
/// How long a socket may stay silent before it is closed.
pub const SOCKET_SILENCE: Duration = Duration::from_secs(40);
/// Bytes that may wait for one slow reader, in addition to the kernel's buffer.
/// With more its socket gets no further frames.
pub const SOCKET_WAITING: usize = 64 * 1024;
