//! The codes of refusals, and of some good outcomes, each with its sentence.
//! Programs decide by the code; people read the sentence.

use serde::Serialize;

macro_rules! codes {
    ($($code:ident $name:literal $sentence:literal)*) => {
        /// Why a call or frame was refused, or its outcome. A code never changes; its sentence may be reworded.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
        pub enum Code {
            $(#[doc = $sentence] #[serde(rename = $name)] $code,)*
        }

        impl Code {
            pub const ALL: &'static [Self] = &[$(Self::$code),*];

            /// The code as it is sent.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$code => $name),* }
            }

            /// The English sentence. `{wait}` in it stands for the time to wait.
            pub const fn sentence(self) -> &'static str {
                match self { $(Self::$code => $sentence),* }
            }
        }
    };
}

codes! {
    // Of any call
    SignedOut "signed_out" "Sign in to continue."
    Busy "busy" "The server is busy. Try again in a moment."
    PausedForMaintenance "paused_for_maintenance" "This site is paused for maintenance. Try again later."
    NoSpace "no_space" "The server has no space left for this. Try again later."
    CannotStore "cannot_store" "The server can't store anything right now. Try again later."
    MaybeStored "maybe_stored" "It may have been stored. Look before you try again."
    Internal "internal" "An error occured, Try again later"
    NothingHere "nothing_here" "There is nothing here."
    SomeoneWasFirst "someone_was_first" "Someone got there first. Try again."
    NoRoomForMore "no_room_for_more" "There's no room for more of these."
    TooManyAttempts "too_many_attempts" "Too many attempts. Wait {wait} and try again."

    // Of what is sent, and how
    BodyTooLarge "body_too_large" "That is more than this call takes."
    BodyTooSlow "body_too_slow" "The request took too long to arrive. Try again."
    BodyCutShort "body_cut_short" "The request was cut short. Try again."
    BodyNotJson "body_not_json" "Send JSON, with Content-Type: application/json."
    JsonNotUtf8 "json_not_utf8" "The JSON is not UTF-8."
    JsonInvalid "json_invalid" "That is not valid JSON."
    FieldsInvalid "fields_invalid" "A field is missing, or holds something of the wrong type."
    EncodingInvalid "encoding_invalid" "The body's encoding is broken."
    NoSuchCall "no_such_call" "There is no such call."
    OtherMethod "other_method" "This call takes another method; the Allow header says which."
    BeforeIsNoNote "before_is_no_note" "before has to be the id of a message."
    BeforeIsNoPlace "before_is_no_place" "before has to be a place in the log."
    InboxLimitInvalid "inbox_limit_invalid" "limit has to be 1 to 200."
    RoomLimitInvalid "room_limit_invalid" "limit has to be 1 to 500."
    KickedMessagesInvalid "kicked_messages_invalid" "messages has to be remove, or has to be left out."
    WaitInvalid "wait_invalid" "wait has to be a number of seconds, at most 25."
    NotUpgraded "not_upgraded" "This call is a WebSocket; ask for an upgrade."
    SocketFromElsewhere "socket_from_elsewhere" "This socket is not open to pages from elsewhere."
    FrameNotJson "frame_not_json" "That is not a JSON object."

    // Of an account
    WrongCredentials "wrong_credentials" "Wrong username, email or password."
    WrongPassword "wrong_password" "incorrect password!"
    CredentialsInvalid "credentials_invalid" "Kindly input valid login credentials"
    UsernameTooShort "username_too_short" "Username must be 6 characters or above"
    UsernameTooLong "username_too_long" "Username must be 16 characters or below"
    UsernameCharacters "username_characters" "Username can only have letters, digits, - and _"
    UsernameNotAvailable "username_not_available" "This username is not available"
    UsernameTaken "username_taken" "This username is already taken"
    AgeNotStated "age_not_stated" "State that you are old enough to have an account here."
    EmailTaken "email_taken" "An account with this email already exists"
    NoMoreAccounts "no_more_accounts" "There is no room for another account here. Try again another day."
    SignUpClosed "sign_up_closed" "Sign-up is closed here."
    InvitationNeeded "invitation_needed" "Signing up here needs an invitation."
    InvitationInvalid "invitation_invalid" "This invitation has been used or is too old. Ask for a new one."
    EmailInvalid "email_invalid" "Invalid Email Address"
    ResetEmailInvalid "reset_email_invalid" "Invalid Email"
    NewPasswordTooShort "new_password_too_short" "Password must be 8 characters or above"
    PasswordTooLong "password_too_long" "Password must be 128 characters or below"
    PasswordTooShort "password_too_short" "Password too short"
    PasswordTooCommon "password_too_common" "Many people use this password, so it's easy to guess. Choose another one."
    PasswordIsUsername "password_is_username" "Your password can't be your username. Choose another one."
    PasswordsDiffer "passwords_differ" "Password do not match"
    LinkUsed "link_used" "This link has already been used or is too old. Get a new one."
    ResetSent "reset_sent" "If there's an account with this address, we've emailed it a link. The link works for 30 minutes."
    EmailNotConfirmed "email_not_confirmed" "Confirm your email address first."
    EmailConfirmedElsewhere "email_confirmed_elsewhere" "Another account confirmed this address first"
    ConfirmationSent "confirmation_sent" "We're emailing you a link. It works for 24 hours."
    EmailConfirmedBefore "email_confirmed_before" "Your address is already confirmed"

    // Of notes and feedback
    NoSuchPerson "no_such_person" "No one here goes by that name."
    InboxFull "inbox_full" "This inbox is full. Try again another day."
    NoSuchNote "no_such_note" "There is no such message in your inbox."
    NoteTooShort "note_too_short" "Please Lengthen your message to more than 10 Characters"
    NoteTooLong "note_too_long" "Please shorten your message to 280 characters"
    TooManyNotes "too_many_notes" "You've sent a lot of notes here. Wait {wait} and try again."
    InboxPaused "inbox_paused" "This person takes a break from messages. Try again another day."
    HeldWordInvalid "held_word_invalid" "A word or phrase to hold back has 1 to 40 characters, with a word among them."
    TooManyHeldWords "too_many_held_words" "An inbox can hold back messages for at most 200 words and phrases."
    TagInvalid "tag_invalid" "A tag is 16 bytes, in base64url."
    SenderNotKnown "sender_not_known" "Nothing is known any more about who sent this message, so they can't be blocked by it."
    NoMoreBlocks "no_more_blocks" "You can block at most 500. Unblock someone first."
    NoSuchBlock "no_such_block" "There is no such block."
    WorkNeeded "work_needed" "This inbox is protected from spam. The message has to come with work done for it."
    TagNeeded "tag_needed" "This inbox is protected from spam right now. Sending it a message needs JavaScript."
    NoteFromElsewhere "note_from_elsewhere" "A note is sent from this site's own pages."
    ReportFromElsewhere "report_from_elsewhere" "A report is sent from this site's own pages."
    FeedbackFromElsewhere "feedback_from_elsewhere" "Feedback is sent from this site's own pages."
    FeedbackTooShort "feedback_too_short" "Feedback must contain over 10 characters"
    FeedbackTooLong "feedback_too_long" "Please shorten your feedback to 4000 characters"
    FeedbackNotUtf8 "feedback_not_utf8" "The feedback is not UTF-8."
    NotAForm "not_a_form" "Send a form (multipart/form-data) with a field named feedback."
    FormBroken "form_broken" "The form is broken. Try again."
    FormTooSlow "form_too_slow" "The form took too long to arrive. Try again."

    // Of reports and suspension
    ReportTooShort "report_too_short" "Say in at least 10 characters what is wrong"
    ReportTooLong "report_too_long" "Please shorten what you say to 1000 characters"
    ReportLinesInvalid "report_lines_invalid" "Choose 1 to 50 messages to show."
    ReportTooManyPictures "report_too_many_pictures" "Choose at most 10 messages with a photo to show."
    ReportLineGone "report_line_gone" "One of these messages isn't there any more. Reload and choose again."
    PageNotAvailable "page_not_available" "This page isn't available right now."
    Suspended "suspended" "Your account is suspended. Your home page says why, and until when."

    // Of a conversation
    ConversationInvalid "conversation_invalid" "A conversation needs an id and a proof, both in base64url."
    ConversationTaken "conversation_taken" "This conversation has already begun."
    NoMoreConversations "no_more_conversations" "You have as many conversations with this person as one can have. End one of them, or send the note without asking for an answer."
    TooManyAnswered "too_many_answered" "You have answered in as many conversations as one can have. Close or end one of them first."
    NoSuchConversation "no_such_conversation" "There is no such conversation. It may have ended."
    ConversationEnded "conversation_ended" "This conversation has ended"
    ConversationClosed "conversation_closed" "This conversation is closed: nothing more can be said in it."
    ConversationFull "conversation_full" "This conversation has all the 100 lines it can have."
    WaitForAnswer "wait_for_answer" "You've said three things in a row. Wait for an answer."
    LineTooLong "line_too_long" "Please shorten what you say to 280 characters"
    NoSuchLine "no_such_line" "There is no such line of yours."
    NotTheOwner "not_the_owner" "Only the person who got the note can close the conversation."
    ConversationStaysClosed "conversation_stays_closed" "A closed conversation can't be opened again."
    TooManyAsked "too_many_asked" "Ask about at most 50 conversations at once."
    BeforeIsNoConversation "before_is_no_conversation" "before has to be the id of a conversation."

    // Of public answers and personal pages
    AnswerEmpty "answer_empty" "There is nothing in that answer."
    AnswerTooLong "answer_too_long" "Please shorten your answer to 500 characters"
    SealNeeded "seal_needed" "This inbox takes sealed notes only. Reload the page, and try again."
    SealChanged "seal_changed" "This inbox isn't sealed with that key now. Reload the page, and try again."
    SealInvalid "seal_invalid" "That is no key for an inbox."
    NoSeal "no_seal" "This inbox was never sealed."
    NoHandover "no_handover" "Nothing is handed over now. Show a new code on the other device."
    NoteWordsNeeded "note_words_needed" "This note is sealed. Only your browser can say what is published of it."
    OnlyForYou "only_for_you" "The sender asked you to keep this note to yourself. It can't be answered in public."
    NoSuchAnswer "no_such_answer" "There is no such answer. It may have been taken down."
    BeforeIsNoAnswer "before_is_no_answer" "before has to be the id of an answer."
    PageLineTooLong "page_line_too_long" "Please shorten your profile line to 80 characters"
    PromptEmpty "prompt_empty" "There is nothing in one of your prompts."
    PromptTooLong "prompt_too_long" "Please shorten each prompt to 80 characters"
    TooManyPrompts "too_many_prompts" "A page can have three prompts."

    // Of web push
    PushInvalid "push_invalid" "This is no subscription of a browser."
    PushServiceUnknown "push_service_unknown" "This server doesn't know the push service of this browser."
    NoSuchSubscription "no_such_subscription" "There is no such subscription. It may have ended."

    // Of pictures
    PictureTooSlow "picture_too_slow" "The photo took too long to arrive. Try again."
    PictureGaveWay "picture_gave_way" "Others were waiting, and this photo took long. Try again."
    TooManyPictures "too_many_pictures" "Many photos have come from your network. Try again in a while."
    PictureFileTooLarge "picture_file_too_large" "Send a photo of at most 5 MB."
    PictureOfOtherKind "picture_of_other_kind" "Send a JPEG, PNG or WebP photo."
    PictureTooLarge "picture_too_large" "That photo is too large. Send one of at most 4096 by 4096 pixels."
    PictureUnreadable "picture_unreadable" "That photo can't be read. Try another one."
    PictureNotBase64 "picture_not_base64" "image_b64 is not base64."
    NoSuchPicture "no_such_picture" "There is no such photo."
    PictureOfOtherGroup "picture_of_other_group" "That photo is not one of this group's."
    GroupHoldsNoMorePictures "group_holds_no_more_pictures" "This group can't hold any more photos"

    // Of a group
    GroupNameTooShort "group_name_too_short" "Group name must be 4 characters or above"
    GroupNameTooLong "group_name_too_long" "Group name must be 30 characters or below"
    LifetimeInvalid "lifetime_invalid" "A group lasts 24 hours or 2."
    NoMoreGroups "no_more_groups" "You have as many groups as one account can have. Delete one first."
    NoMoreLinks "no_more_links" "This group can't get another new link."
    NotTheCreator "not_the_creator" "Only the creator of this group can do that."
    GroupExpired "group_expired" "Sorry, It Looks Like This Group Has Expired"
    GroupFull "group_full" "Sorry, It Looks Like This Group Is Full Already"
    GroupLocked "group_locked" "This group is locked"
    AsksFirst "asks_first" "This group asks first. Knock, and its creator can let you in."
    NoNeedToKnock "no_need_to_knock" "You can come in without knocking."
    KnockedTooOften "knocked_too_often" "You can knock three times in an hour. Try again later."
    TooManyKnocks "too_many_knocks" "Many people are waiting at this group's door. Try again in a while."
    NoSuchKnock "no_such_knock" "This knock was answered already, or nobody waits any more."
    GroupDeleted "group_deleted" "The creator has deleted this group"
    LeftGroup "left_group" "You left the group"
    RemovedFromGroup "removed_from_group" "You were removed from this group"
    NotAMember "not_a_member" "You are not a member of this group"
    SeatFromElsewhere "seat_from_elsewhere" "A seat is taken from this site's own pages."
    NoSuchMember "no_such_member" "There is no such member."
    GroupBusy "group_busy" "The group is busy. Try again in a moment."
    SendingTooFast "sending_too_fast" "You are sending too fast. Wait a moment."
    SealedInvalid "sealed_invalid" "That isn't sealed as it has to be here."
    MessageEmpty "message_empty" "There is nothing in that message."
    MessageTooLong "message_too_long" "Please shorten your message to 255 characters"
    CaptionTooLong "caption_too_long" "Please shorten the caption to 100 characters"
    MessageGone "message_gone" "This message is already gone"
    TooLateToUnsend "too_late_to_unsend" "A message can only be unsent within five minutes"
    NoSuchSign "no_such_sign" "You can't react with that. Choose one of the emoji."
    TooManyReactions "too_many_reactions" "You can leave three different reactions on a message. Take one away first."
    ReactionsFull "reactions_full" "This message can't take any more reactions."
    MessageIdInvalid "message_id_invalid" "A message's id has to be 15 letters and digits."
    FrameNotUnderstood "frame_not_understood" "That is not a frame this server understands."
    SocketOfOtherGroup "socket_of_other_group" "This socket belongs to another group."
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.sentence())
    }
}

impl std::error::Error for Code {}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::Duration;

    use super::*;
    use crate::limits::*;

    #[test]
    fn each_code_has_a_name_of_its_own() {
        let names: HashSet<_> = Code::ALL.iter().map(|code| code.name()).collect();
        assert_eq!(names.len(), Code::ALL.len());
    }

    fn minutes(time: Duration) -> usize {
        usize::try_from(time.as_secs() / 60).unwrap()
    }

    /// The limits whose numbers are in a sentence, in the order of the sentence.
    fn limits(code: Code) -> Vec<usize> {
        match code {
            Code::InboxLimitInvalid => vec![1, INBOX_PAGE_MAX],
            Code::RoomLimitInvalid => vec![1, ROOM_PAGE_MAX],
            Code::UsernameTooShort => vec![USERNAME_MIN],
            Code::UsernameTooLong => vec![USERNAME_MAX],
            Code::NewPasswordTooShort => vec![SIGNUP_PASSWORD_MIN],
            Code::PasswordTooLong => vec![PASSWORD_MAX],
            Code::ResetSent => vec![minutes(RESET_LIFETIME)],
            Code::ConfirmationSent => vec![minutes(CONFIRMATION_LIFETIME) / 60],
            Code::HeldWordInvalid => vec![1, HELD_WORD_MAX],
            Code::TooManyHeldWords => vec![HELD_WORDS],
            Code::TagInvalid => vec![TAG_BYTES],
            Code::NoMoreBlocks => vec![BLOCKS],
            Code::NoteTooShort => vec![NOTE_MIN],
            Code::NoteTooLong => vec![NOTE_MAX],
            Code::ConversationFull => vec![CONVERSATION_LINES],
            Code::WaitForAnswer => vec![LINES_UNANSWERED],
            Code::LineTooLong => vec![LINE_MAX],
            Code::TooManyAsked => vec![CONVERSATIONS_PEEKED],
            Code::AnswerTooLong => vec![ANSWER_MAX],
            Code::PageLineTooLong => vec![PAGE_LINE_MAX],
            Code::PromptTooLong => vec![PROMPT_MAX],
            Code::TooManyPrompts => vec![PROMPTS],
            Code::FeedbackTooShort => vec![FEEDBACK_MIN],
            Code::FeedbackTooLong => vec![FEEDBACK_MAX],
            Code::ReportTooShort => vec![REPORT_OF_PAGE_MIN],
            Code::ReportTooLong => vec![REPORT_MAX],
            Code::ReportLinesInvalid => vec![1, REPORT_LINES],
            Code::ReportTooManyPictures => vec![REPORT_PICTURES],
            Code::PictureFileTooLarge => vec![PICTURE_MAX_BYTES / 1024 / 1024],
            Code::PictureTooLarge => vec![PICTURE_MAX_SIDE as usize; 2],
            Code::GroupNameTooShort => vec![ROOM_NAME_MIN],
            Code::GroupNameTooLong => vec![ROOM_NAME_MAX],
            Code::LifetimeInvalid => vec![ROOM_LIFETIME_HOURS as usize, ROOM_SHORT_LIFETIME_HOURS as usize],
            Code::MessageTooLong => vec![CHAT_MAX],
            Code::CaptionTooLong => vec![CAPTION_MAX],
            Code::TooLateToUnsend => vec![minutes(UNSEND_WITHIN)],
            Code::TooManyReactions => vec![REACTIONS_OF_MEMBER],
            Code::WaitInvalid => vec![usize::try_from(KNOCK_CALL_WAITS).unwrap()],
            Code::KnockedTooOften => vec![KNOCKS_OF_VISITOR],
            Code::MessageIdInvalid => vec![CHAT_ID_LEN],
            _ => Vec::new(),
        }
    }

    #[test]
    fn numbers_in_sentences_are_the_limits() {
        for code in Code::ALL {
            let words = code.sentence().replace("five", "5").replace("three", "3");
            let said: Vec<usize> = words.split([' ', '.']).filter_map(|word| word.parse().ok()).collect();
            assert_eq!(said, limits(*code), "{code}");
        }
    }
}
