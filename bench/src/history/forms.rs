//! A history in the forms that other programs judge: elle-cli (`list-append`) and porcupine (its logs of keys and values).
//!
//! A room is a list, and each message an element that is added to it. What they have no words for is left out: messages
//! that somebody asked to take back, and reads that don't begin with the first message.

use std::collections::{HashMap, HashSet};
use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::history::{Line, Page, Step, What, lines_of};
use crate::trouble::{Because, Fallible};

/// Says are processes of their own, since a member doesn't wait for one before the next. Their numbers are above all others.
const SAYS: u64 = 1_000_000_000;

#[derive(Debug, Args)]
pub(crate) struct Convert {
    /// What `cluster --history` has written.
    file: PathBuf,
    /// Who shall read it.
    #[arg(long = "as", value_name = "PROGRAM")]
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// EDN for `elle-cli --model list-append`.
    Elle,
    /// A log as porcupine's own tests read it.
    Porcupine,
}

impl Convert {
    pub(crate) fn run(&self) -> Fallible {
        let lines = lines_of(&self.file)?.collect::<Fallible<Vec<_>>>()?;
        let mut out = BufWriter::new(stdout().lock());
        write(&lines, self.form, &mut out).and_then(|()| out.flush()).because("can't write all of it")
    }
}

/// What both programs know.
enum Operation<'a> {
    Append(u32),
    Read(Option<&'a Page>),
}

fn write(lines: &[Line], form: Form, out: &mut impl Write) -> std::io::Result<()> {
    let mut taken = HashSet::new();
    let mut ends = HashMap::new();
    for line in lines {
        if let What::TakeBack(number) = line.what {
            taken.insert((line.room, number));
        }
        if line.step != Step::Invoke {
            ends.insert(line.op, line);
        }
    }
    let end_of = |op: u64| ends.get(&op).map(|end| (end.step, &end.what));
    let is_whole = |op: u64| matches!(end_of(op), Some((Step::Ok, What::Read(Some(page)))) if page.from == 0);
    let mut index = 0;
    for Line { time, process, op, step, room, what } in lines {
        let (process, operation) = match what {
            // What has failed is not there, and nobody asks porcupine when it was tried.
            What::Say(..) if form == Form::Porcupine && matches!(end_of(*op), Some((Step::Fail, _))) => continue,
            What::Say(number, _) if !taken.contains(&(*room, *number)) => (SAYS + op, Operation::Append(*number)),
            What::Read(page) if is_whole(*op) => (*process as u64, Operation::Read(page.as_ref())),
            _ => continue,
        };
        let chats = |page: &Page, wide: &str| {
            let there = page.chats.iter().filter(|(_, number)| !taken.contains(&(*room, *number)));
            there.map(|(_, number)| format!("{number}{wide}")).collect::<Vec<_>>()
        };
        let kind = match (form, step) {
            (_, Step::Invoke) => "invoke",
            (_, Step::Ok) => "ok",
            (Form::Elle, Step::Fail) => "fail",
            (Form::Elle, Step::Unknown) => "info",
            // Without an end, nobody knows.
            (Form::Porcupine, Step::Fail | Step::Unknown) => continue,
        };
        match form {
            Form::Elle => {
                let value = match operation {
                    Operation::Append(number) => format!("[:append {room} {number}]"),
                    Operation::Read(None) => format!("[:r {room} nil]"),
                    Operation::Read(Some(page)) => format!("[:r {room} [{}]]", chats(page, "").join(" ")),
                };
                let time = time * 1000;
                let line =
                    format!(":index {index} :time {time} :type :{kind} :process {process} :f :txn :value [{value}]");
                writeln!(out, "{{{line}}}")?;
            }
            Form::Porcupine => {
                let (f, value) = match operation {
                    Operation::Append(number) => ("append", format!("\"{number} \"")),
                    Operation::Read(None) => ("get", "nil".to_owned()),
                    Operation::Read(Some(page)) => ("get", format!("\"{}\"", chats(page, " ").concat())),
                };
                writeln!(out, "{{:process {process}, :type :{kind}, :f :{f}, :key \"{room}\", :value {value}}}")?;
            }
        }
        index += 1;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(form: Form) -> String {
        let say = |time, op, step, number| Line { time, process: 3, op, step, room: 7, what: What::Say(number, None) };
        let read = |time, op, step, page| Line { time, process: 5, op, step, room: 7, what: What::Read(page) };
        let page = |from, chats: &[(u64, u32)]| Some(Page { from, chats: chats.to_vec() });
        let lines = [
            say(1, 0, Step::Invoke, 10),
            say(2, 1, Step::Invoke, 11),
            say(3, 0, Step::Ok, 10),
            say(4, 2, Step::Invoke, 12),
            say(5, 2, Step::Fail, 12),
            Line { time: 6, process: 3, op: 3, step: Step::Invoke, room: 7, what: What::TakeBack(13) },
            say(7, 4, Step::Invoke, 13),
            read(8, 5, Step::Invoke, None),
            read(9, 5, Step::Ok, page(0, &[(1, 10), (2, 13), (3, 11)])),
            read(10, 6, Step::Invoke, None),
            read(11, 6, Step::Ok, page(2, &[(3, 11)])),
            read(12, 7, Step::Invoke, None),
            read(13, 7, Step::Unknown, None),
        ];
        let mut out = Vec::new();
        write(&lines, form, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn elle_reads_what_was_appended_and_read() {
        let lines = [
            "{:index 0 :time 1000 :type :invoke :process 1000000000 :f :txn :value [[:append 7 10]]}",
            "{:index 1 :time 2000 :type :invoke :process 1000000001 :f :txn :value [[:append 7 11]]}",
            "{:index 2 :time 3000 :type :ok :process 1000000000 :f :txn :value [[:append 7 10]]}",
            "{:index 3 :time 4000 :type :invoke :process 1000000002 :f :txn :value [[:append 7 12]]}",
            "{:index 4 :time 5000 :type :fail :process 1000000002 :f :txn :value [[:append 7 12]]}",
            "{:index 5 :time 8000 :type :invoke :process 5 :f :txn :value [[:r 7 nil]]}",
            "{:index 6 :time 9000 :type :ok :process 5 :f :txn :value [[:r 7 [10 11]]]}",
        ];
        assert_eq!(written(Form::Elle).lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn porcupine_reads_its_own_log() {
        let lines = [
            r#"{:process 1000000000, :type :invoke, :f :append, :key "7", :value "10 "}"#,
            r#"{:process 1000000001, :type :invoke, :f :append, :key "7", :value "11 "}"#,
            r#"{:process 1000000000, :type :ok, :f :append, :key "7", :value "10 "}"#,
            r#"{:process 5, :type :invoke, :f :get, :key "7", :value nil}"#,
            r#"{:process 5, :type :ok, :f :get, :key "7", :value "10 11 "}"#,
        ];
        assert_eq!(written(Form::Porcupine).lines().collect::<Vec<_>>(), lines);
    }
}
