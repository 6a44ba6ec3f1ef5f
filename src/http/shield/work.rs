//! The work that a sender must bring whose tag an inbox doesn't know, while the inbox is
//! under its shield.
//!
//! Nothing is stored for it. A seed tells until when it is good and how many bits are asked,
//! and has a MAC of these, of the inbox and of the tag. Whoever brings the work becomes known
//! by the note, to every server: so a proof that is used again is of no use to anybody, and
//! no list of spent ones is needed.

use annon_contract::code::Code;
use annon_contract::limits::{FLOOD_CLOSES_FORM, FLOOD_NOTES, WORK_BITS, WORK_BITS_MOST, WORK_LASTS};
use annon_store::account::{AccountId, Timestamp};
use annon_store::shield::{InboxDoor, Mode, TagHash};
use aws_lc_rs::{constant_time, digest, hmac};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use annon_actors::clock::date_and_time;

/// Work that was begun when fewer bits were asked still counts, if it is as many fewer at most.
const SLACK: u8 = 2;

const MAC: usize = 16;
const SEED: usize = 8 + 1 + MAC;
const NONCE: usize = 8;

/// The work that is asked for.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Asked {
    /// 25 bytes in base64url.
    #[schema(min_length = 34, max_length = 34)]
    pub seed: String,
    /// With how many zero bits SHA-256(seed ‖ nonce) has to begin, over the bytes of both.
    #[schema(example = 14)]
    pub bits: u8,
    /// Until when the seed is good, in UTC.
    #[schema(example = "2026-07-04 12:30:00")]
    pub until: String,
}

/// Work that was done.
#[derive(Deserialize, ToSchema)]
pub struct Work {
    /// The seed that was given for this inbox and this tag.
    seed: String,
    /// 8 bytes in base64url.
    nonce: String,
}

/// Gives work out and checks it.
pub struct Works {
    key: hmac::Key,
    /// Whether a shield goes up by itself: load tests send many notes.
    counts_notes: bool,
}

impl Works {
    pub fn new(secret: &[u8; 32], counts_notes: bool) -> Self {
        Self { key: hmac::Key::new(hmac::HMAC_SHA256, secret), counts_notes }
    }

    /// The work that a note with this tag still needs at this door; `None` when it may come in.
    pub fn needed(
        &self,
        door: &InboxDoor,
        tag: Option<TagHash>,
        work: Option<&Work>,
        now: Timestamp,
    ) -> Result<Option<Asked>, Code> {
        let bits = if door.knows_tag { None } else { self.bits(door) };
        let Some(bits) = bits else { return Ok(None) };
        let tag = tag.ok_or(Code::TagNeeded)?;
        let is_done = work.is_some_and(|work| self.is_done(door.owner, tag, bits, work, now));
        Ok((!is_done).then(|| self.ask(door.owner, tag, bits, now)))
    }

    /// Whether a form without scripts, which can't work, is refused.
    pub fn closes_form(&self, door: &InboxDoor) -> bool {
        self.is_up(door, FLOOD_CLOSES_FORM)
    }

    /// How many bits an inbox asks of a sender that it doesn't know; `None` without its shield.
    fn bits(&self, door: &InboxDoor) -> Option<u8> {
        self.is_up(door, FLOOD_NOTES).then(|| bits_for(self.shown_lately(door)))
    }

    /// Anybody can ask whether a shield is up. So that depends on what the owner has set and was
    /// shown, and on nothing that the owner or a sender must not know.
    fn is_up(&self, door: &InboxDoor, most: u32) -> bool {
        match door.shield.mode {
            Mode::Off => false,
            Mode::Always => true,
            Mode::Auto => self.shown_lately(door) > most,
        }
    }

    fn shown_lately(&self, door: &InboxDoor) -> u32 {
        if self.counts_notes { door.shown_lately } else { 0 }
    }

    /// The work for a note with this tag to this inbox.
    fn ask(&self, owner: AccountId, tag: TagHash, bits: u8, now: Timestamp) -> Asked {
        let until = now + WORK_LASTS.as_secs();
        let mut seed = [0; SEED];
        seed[..8].copy_from_slice(&until.to_be_bytes());
        seed[8] = bits;
        let mac = self.mac(owner, tag, &seed);
        seed[9..].copy_from_slice(&mac);
        Asked { seed: BASE64_URL_SAFE_NO_PAD.encode(seed), bits, until: date_and_time(until) }
    }

    /// Whether this is enough work for a note with this tag to this inbox.
    fn is_done(&self, owner: AccountId, tag: TagHash, bits: u8, work: &Work, now: Timestamp) -> bool {
        let (Some(seed), Some(nonce)) = (bytes::<SEED>(&work.seed), bytes::<NONCE>(&work.nonce)) else { return false };
        let mut until = [0; 8];
        until.copy_from_slice(&seed[..8]);
        let (until, asked) = (u64::from_be_bytes(until), seed[8]);
        if until < now || asked.saturating_add(SLACK) < bits {
            return false;
        }
        let mac = self.mac(owner, tag, &seed);
        constant_time::verify_slices_are_equal(&mac, &seed[9..]).is_ok() && zero_bits(&seed, &nonce) >= asked.into()
    }

    fn mac(&self, owner: AccountId, TagHash(tag): TagHash, seed: &[u8; SEED]) -> [u8; MAC] {
        let mut context = hmac::Context::with_key(&self.key);
        [&owner.0.as_bytes()[..], &tag[..], &seed[..9]].iter().for_each(|part| context.update(part));
        let mut mac = [0; MAC];
        mac.copy_from_slice(&context.sign().as_ref()[..MAC]);
        mac
    }
}

/// One bit more each time that the notes are twice as many.
fn bits_for(shown: u32) -> u8 {
    let doublings = (shown / FLOOD_NOTES).checked_ilog2().unwrap_or(0);
    WORK_BITS.saturating_add(u8::try_from(doublings).unwrap_or(u8::MAX)).min(WORK_BITS_MOST)
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    BASE64_URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()
}

/// With how many zero bits the digest begins.
fn zero_bits(seed: &[u8], nonce: &[u8]) -> u32 {
    let mut context = digest::Context::new(&digest::SHA256);
    context.update(seed);
    context.update(nonce);
    let mut zeros = 0;
    for byte in context.finish().as_ref() {
        zeros += byte.leading_zeros();
        if *byte != 0 {
            break;
        }
    }
    zeros
}

#[cfg(test)]
mod tests {
    use super::*;
    use annon_store::account::TargetId;
    use annon_store::inbox::NoteId;
    use annon_store::personal_page::PersonalPage;
    use annon_store::shield::{Block, Shield};
    use std::sync::Arc;
    use uuid::Uuid;

    const NOW: Timestamp = 1_790_000_000;
    const TAG: TagHash = TagHash([1; 16]);

    fn owner(n: u128) -> AccountId {
        AccountId(Uuid::from_u128(n))
    }

    fn works() -> Works {
        Works::new(&[7; 32], true)
    }

    fn solve(Asked { seed, bits, .. }: &Asked) -> Work {
        let bytes = bytes::<SEED>(seed).unwrap();
        let nonce = (0_u64..).find(|nonce| zero_bits(&bytes, &nonce.to_be_bytes()) >= u32::from(*bits)).unwrap();
        Work { seed: seed.clone(), nonce: BASE64_URL_SAFE_NO_PAD.encode(nonce.to_be_bytes()) }
    }

    #[test]
    fn a_proof_is_good_for_its_inbox_its_tag_and_its_time() {
        let works = works();
        let asked = works.ask(owner(1), TAG, 10, NOW);
        let work = solve(&asked);
        assert!(works.is_done(owner(1), TAG, 10, &work, NOW));
        assert!(works.is_done(owner(1), TAG, 10, &work, NOW + WORK_LASTS.as_secs()));
        assert!(!works.is_done(owner(1), TAG, 10, &work, NOW + WORK_LASTS.as_secs() + 1), "an old one");
        assert!(!works.is_done(owner(2), TAG, 10, &work, NOW), "another inbox");
        assert!(!works.is_done(owner(1), TagHash([2; 16]), 10, &work, NOW), "another tag");
        assert!(!Works::new(&[8; 32], true).is_done(owner(1), TAG, 10, &work, NOW), "another server");
        assert!(works.is_done(owner(1), TAG, 10 + SLACK, &work, NOW));
        assert!(!works.is_done(owner(1), TAG, 11 + SLACK, &work, NOW), "begun when it was calm");
    }

    #[test]
    fn what_was_changed_or_is_too_little_is_refused() {
        let works = works();
        let asked = works.ask(owner(1), TAG, 10, NOW);
        let good = solve(&asked);
        let seed = bytes::<SEED>(&good.seed).unwrap();
        let nonce = bytes::<NONCE>(&good.nonce).unwrap();
        let is_done = |seed: &[u8], nonce: &[u8]| {
            let encode = |bytes| BASE64_URL_SAFE_NO_PAD.encode(bytes);
            works.is_done(owner(1), TAG, 10, &Work { seed: encode(seed), nonce: encode(nonce) }, NOW)
        };
        assert!(is_done(&seed, &nonce));
        for bit in 0..SEED * 8 {
            let mut changed = seed;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(!is_done(&changed, &nonce), "bit {bit}");
        }
        let lazy = (0_u64..).find(|nonce| zero_bits(&seed, &nonce.to_be_bytes()) == 9).unwrap();
        assert!(!is_done(&seed, &lazy.to_be_bytes()), "one bit is missing");
        assert!(!is_done(&seed[..24], &nonce) && !is_done(&seed, &nonce[..7]) && !is_done(&[], &[]));
        assert!(!works.is_done(owner(1), TAG, 10, &Work { seed: "%".into(), nonce: "é".into() }, NOW));
    }

    fn door(mode: Mode, shown_lately: u32) -> InboxDoor {
        let block = Block { id: Uuid::nil(), tag: TAG, date: NOW, note: NoteId(Uuid::nil()) };
        InboxDoor {
            owner: owner(1),
            target: TargetId(Uuid::nil()),
            is_suspended: false,
            page: PersonalPage::default(),
            shield: Arc::new(Shield { mode, blocks: vec![block], ..Shield::default() }.into()),
            knows_tag: false,
            shown_lately,
            seal: None,
        }
    }

    #[test]
    fn the_shield_goes_by_what_the_owner_has_set_and_was_shown_and_no_block_raises_it() {
        let works = works();
        let of = |mode, shown| (works.bits(&door(mode, shown)), works.closes_form(&door(mode, shown)));
        let (calm, flood, closing) = (FLOOD_NOTES, FLOOD_NOTES + 1, FLOOD_CLOSES_FORM + 1);
        assert_eq!([calm, flood, closing].map(|shown| of(Mode::Off, shown)), [(None, false); 3]);
        let auto = [0, calm, flood, closing - 1, closing].map(|shown| of(Mode::Auto, shown));
        let bits = |bits, is_closed| (Some(bits), is_closed);
        assert_eq!(auto, [(None, false), (None, false), bits(14, false), bits(15, false), bits(15, true)]);
        assert_eq!([0, closing].map(|shown| of(Mode::Always, shown)), [bits(14, true), bits(15, true)]);
        let [n, most] = [FLOOD_NOTES, u32::MAX];
        assert_eq!([0, n, 2 * n, 256 * n - 1, 256 * n, most].map(bits_for), [14, 14, 15, 21, 22, 22]);
        let lenient = Works::new(&[7; 32], false);
        assert_eq!(lenient.bits(&door(Mode::Auto, u32::MAX)), None);
    }

    /// A figure for docs/BENCHMARKS.md: `cargo test --workspace --lib work_is_checked -- --ignored --nocapture`.
    #[test]
    #[ignore = "it measures"]
    fn work_is_checked_in_so_many_microseconds() {
        let works = works();
        let work = solve(&works.ask(owner(1), TAG, WORK_BITS, NOW));
        #[expect(clippy::disallowed_methods, reason = "it measures")]
        let begun = std::time::Instant::now();
        let count = 100_000;
        let good = (0..count).filter(|_| works.is_done(owner(1), TAG, WORK_BITS, &work, NOW)).count();
        assert_eq!(good, count);
        println!("{:.2} µs each", begun.elapsed().as_secs_f64() * 1e6 / count as f64);
    }
}
