//! Asks porcupine whether a history is linearizable: `annon-bench history FILE --as porcupine` writes it to standard
//! input. A group is a list of messages, and each has a search of its own.

use std::collections::{BTreeMap, HashMap};
use std::io::stdin;
use std::process::ExitCode;
use std::time::Duration;

use porcupine_rs::{CheckResult, Event, EventModel, Model, check_events_timeout};

/// How long the search may take for each group.
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, Clone)]
enum Asked {
    /// A message, and its place in the longest read. Whatever order explains that read has it there: without this the
    /// search tries every order of what was sent while a database was away.
    Append(u32, Option<usize>),
    Read,
}

/// A group, as one server knows it.
#[derive(Debug, Clone)]
struct Group;

impl Model for Group {
    type State = Vec<u32>;
    type Op = (Asked, Vec<u32>);
    type Metadata = ();

    fn init() -> Self::State {
        Vec::new()
    }

    fn step(state: &Self::State, (asked, seen): &Self::Op) -> (bool, Self::State) {
        match asked {
            Asked::Append(number, place) => {
                let is_its_turn = place.is_none_or(|place| place == state.len());
                (is_its_turn, state.iter().copied().chain([*number]).collect())
            }
            Asked::Read => (state == seen, state.clone()),
        }
    }
}

impl EventModel for Group {
    type Input = Asked;
    type Output = Vec<u32>;

    fn combine(asked: &Asked, seen: &Vec<u32>) -> Self::Op {
        (asked.clone(), seen.clone())
    }
}

/// The events of a group, and what is under way: by process, the number of its call and whether it appends.
#[derive(Default)]
struct History {
    events: Vec<Event<Group>>,
    open: HashMap<u64, (usize, bool)>,
    calls: usize,
}

/// What stands behind a name, without quotes.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, behind) = line.split_once(&format!(":{name} "))?;
    Some(behind.split([',', '}']).next()?.trim_matches(['"', ':']))
}

impl History {
    fn add(&mut self, line: &str) -> Option<()> {
        let process = field(line, "process")?.parse().ok()?;
        let value = field(line, "value")?;
        let is_append = field(line, "f")? == "append";
        if field(line, "type")? == "invoke" {
            let value = if is_append { Asked::Append(value.trim().parse().ok()?, None) } else { Asked::Read };
            self.open.insert(process, (self.calls, is_append));
            self.events.push(Event::Call { client_id: None, value, id: self.calls, metadata: None });
            self.calls += 1;
        } else {
            let (id, _) = self.open.remove(&process)?;
            let value = value.split_whitespace().filter_map(|number| number.parse().ok()).collect();
            self.events.push(Event::Return { client_id: None, value, id, metadata: None });
        }
        Some(())
    }

    /// Notes the place of each message in the longest read.
    fn order(&mut self) {
        let reads = self.events.iter().filter_map(|event| match event {
            Event::Return { value, .. } => Some(value),
            Event::Call { .. } => None,
        });
        let longest = reads.max_by_key(|read| read.len()).cloned().unwrap_or_default();
        let places: HashMap<_, _> = longest.iter().enumerate().map(|(place, number)| (*number, place)).collect();
        for event in &mut self.events {
            if let Event::Call { value: Asked::Append(number, place), .. } = event {
                *place = places.get(number).copied();
            }
        }
    }

    /// All events. What has no end may happen at any later time, and a read without one says nothing.
    fn whole(mut self) -> Vec<Event<Group>> {
        let is_read = |id: usize| self.open.values().any(|(open, is_append)| *open == id && !is_append);
        self.events.retain(|event| !matches!(event, Event::Call { id, .. } if is_read(*id)));
        let ends = self.open.into_values().filter(|(_, is_append)| *is_append);
        self.events.extend(ends.map(|(id, _)| Event::Return {
            client_id: None,
            value: Vec::new(),
            id,
            metadata: None,
        }));
        self.events
    }
}

fn main() -> ExitCode {
    let mut groups = BTreeMap::<String, History>::new();
    for line in stdin().lines().map_while(Result::ok) {
        let added = field(&line, "key").and_then(|key| groups.entry(key.to_owned()).or_default().add(&line));
        if added.is_none() {
            eprintln!("this line can't be read: {line}");
            return ExitCode::from(2);
        }
    }
    let mut all_right = !groups.is_empty();
    for (group, mut history) in groups {
        history.order();
        let calls = history.calls;
        let verdict = check_events_timeout(&history.whole(), PATIENCE);
        println!("group {group}, {calls} calls: {verdict:?}");
        all_right &= verdict == CheckResult::Ok;
    }
    if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
