//! What a window is told: all that has happened after a change that it knows.

use annon_store::account::Timestamp;
use annon_store::conversation::{Conversation, Line, Side};
use annon_store::room::Seq;

use super::frame::{LineItem, LineUnsentFrame, OpenFrame, SaidFrame, SeenFrame, reacted};
use crate::clock::date_and_time;
use crate::session::EncodedFrame;

/// What has happened after the change with the number `known`, in its order. A line that was
/// unsent since then comes as it is now.
pub(crate) fn news(conversation: &Conversation, known: Seq, now: Timestamp) -> Vec<EncodedFrame> {
    let mut news = Vec::new();
    for line in &conversation.lines {
        if line.seq > known {
            news.push((line.seq, said(conversation, line, now)));
        } else if let Some(seq) = line.unsent.filter(|seq| *seq > known) {
            let frame = LineUnsentFrame { event: "event.unsend", line: line.seq.0, seq: seq.0 };
            news.push((seq, EncodedFrame::of(&frame)));
        } else if line.reacted > known && line.unsent.is_none() {
            news.push((line.reacted, reacted(line)));
        }
    }
    for side in [Side::Owner, Side::Sender] {
        let mark = conversation.seen_by(side);
        if mark.seq > known {
            let frame = SeenFrame { event: "event.seen", from: side.into(), upto: mark.upto.0, seq: mark.seq.0 };
            news.push((mark.seq, EncodedFrame::of(&frame)));
        }
    }
    if let Some(seq) = conversation.closed.filter(|seq| *seq > known) {
        news.push((seq, EncodedFrame::of(&OpenFrame { event: "event.open", open: false, seq: seq.0 })));
    }
    news.sort_by_key(|(seq, _)| *seq);
    news.into_iter().map(|(_, frame)| frame).collect()
}

/// A line, as it is now.
pub(crate) fn said(conversation: &Conversation, line: &Line, now: Timestamp) -> EncodedFrame {
    let (line, expires) = (LineItem::of(conversation, line, now), date_and_time(conversation.expires()));
    EncodedFrame::of(&SaidFrame { event: "event.line", line, expires })
}
