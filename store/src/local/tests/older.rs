//! Conversations that a version before a line was a row has written.

use crate::conversation::{Conversation, ConversationId, Side};
use crate::error::Result;
use crate::local::committer::tests::store;
use crate::people::{account, account_id, arrival, beginning, conversation_id, say};
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Rows};
use crate::seals::keyring::Owner;
use crate::shapes::conversation::older::AdditionRecord;
use crate::shapes::in_version;
use crate::table::{beside_conversation, conversation_key};
use crate::{Kept, Local, Options, StoreError};

const NOW: u64 = 2_000_000_000;

/// Writes a conversation as it was: two lines in its record, and the others added to it.
struct WriteOlder(ConversationId, Conversation);

impl Call for WriteOlder {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let Self(id, now) = self;
        let (owner, [lines, additions], at) =
            (Owner::Conversation(id.0), beside_conversation(*id), conversation_key(*id));
        rows.under(&lines).await?.into_iter().for_each(|(at, _)| rows.remove(at));
        let mut record = now.clone();
        let added = record.lines.split_off(2);
        record.last = record.lines[1].seq;
        for (n, line) in (0_u64..).zip(added) {
            let (seen, moved, last) = (now.seen, line.at, line.seq);
            let addition = AdditionRecord { record: record.last, line: Some(line), last, seen, moved };
            rows.put_sealed(owner, [&additions[..], &(u64::MAX - n).to_be_bytes()].concat(), &addition).await?;
        }
        let sealed = rows.seal(owner, &at, &in_version(2, &record)).await?;
        rows.put(at, sealed);
        rows.keep_recent(*id, None);
        Ok(())
    }
}

fn rows_beside(store: &Local, n: u64) -> [usize; 2] {
    beside_conversation(conversation_id(n)).map(|beside| store.index.under(&beside).count())
}

#[tokio::test]
async fn an_older_conversation_is_read_and_written_as_rows_when_it_changes() {
    let (folder, store) = store();
    store.accounts().create(account(1)).await.unwrap();
    let talk = store.conversations();
    for n in 1..=2 {
        talk.begin(account_id(1), arrival(n, NOW), beginning(n)).await.unwrap();
        for line in 1..=5 {
            talk.change(conversation_id(n), say(Side::Owner, line), NOW + line).await.unwrap();
        }
        assert_eq!(rows_beside(&store, n), [5, 0]);
        let found = async || talk.find(vec![conversation_id(n)], NOW).await.unwrap();
        let before = found().await;
        store.call(WriteOlder(conversation_id(n), (*before[0].conversation).clone())).await.unwrap();
        assert_eq!((rows_beside(&store, n), found().await), ([0, 3], before));
    }
    talk.change(conversation_id(1), say(Side::Sender, 6), NOW + 6).await.unwrap();
    assert_eq!(rows_beside(&store, 1), [6, 0]);
    talk.remove(conversation_id(2), NOW).await.unwrap();
    assert_eq!(rows_beside(&store, 2), [0, 0]);
    let now = talk.find(vec![conversation_id(1)], NOW).await.unwrap();
    assert_eq!(now[0].conversation.lines.len(), 6);
    drop(talk);
    store.close().await.unwrap();
    let again = Local::open(&Options { disk_reserve: 0, ..Options::new(folder.path()) }).unwrap();
    assert_eq!(again.conversations().find(vec![conversation_id(1)], NOW).await.unwrap(), now);
}
