//! Rows that were read together, before somebody asks for each of them. What is wanted leaves in as many
//! statements as it has kinds, all in one round trip.

use std::collections::BTreeMap;

use futures_util::future::try_join4;
use tokio_postgres::{Client, Error, Row, Statement};

use crate::postgres::connection::Connection;
use crate::postgres::rows;
use crate::rows::{Behind, Pair, Span, WantedSpan, Wants};
use crate::table::key;

const ROWS: &str = "SELECT 0::int8, at, value FROM kept WHERE at = ANY ($1)";

/// The first pairs of spans, each with the number of its span, and what stands beside them in other tables.
macro_rules! spans {
    ($order:literal) => {
        concat!(
            "WITH page AS (SELECT s.n, k.at, k.value \
                 FROM unnest($1::bytea[], $2::bytea[], $3::int8[]) WITH ORDINALITY AS s (first, behind, most, n) \
                 CROSS JOIN LATERAL (SELECT at, value FROM kept WHERE at >= s.first AND at < s.behind ORDER BY at ",
            $order,
            " LIMIT s.most) k) \
             SELECT n, at, value FROM page \
             UNION ALL SELECT 0, b.at, b.value FROM page CROSS JOIN unnest($4::bytea[]) AS t (beside) \
                 CROSS JOIN LATERAL (SELECT at, value FROM kept WHERE at = t.beside || substr(page.at, 2) LIMIT 1) b"
        )
    };
}
const FORWARDS: &str = spans!("ASC");
const BACKWARDS: &str = spans!("DESC");

/// A row that names an id in its last bytes, and rows of this id.
const BEHIND: &str = "WITH led AS (SELECT at, value FROM kept WHERE at = $1) \
     SELECT 0::int8, at, value FROM led \
     UNION ALL SELECT 0, k.at, k.value FROM led CROSS JOIN unnest($2::bytea[], $3::bytea[]) AS t (prefix, suffix) \
         CROSS JOIN LATERAL (SELECT at, value FROM kept \
             WHERE at = t.prefix || substr(led.value, length(led.value) - 15) || t.suffix LIMIT 1) k";

/// Spans of one direction, as the columns of a statement.
#[derive(Default)]
struct Columns<'a> {
    wanted: Vec<&'a WantedSpan>,
    firsts: Vec<&'a Vec<u8>>,
    behinds: Vec<&'a Vec<u8>>,
    most: Vec<i64>,
    besides: Vec<Vec<u8>>,
}

impl<'a> Columns<'a> {
    fn of(wants: &'a Wants, is_backwards: bool) -> Self {
        let mut columns = Self::default();
        for wanted in wants.spans.iter().filter(|wanted| wanted.span.is_backwards == is_backwards) {
            columns.wanted.push(wanted);
            columns.firsts.push(&wanted.span.from);
            columns.behinds.push(&wanted.span.to);
            columns.most.push(rows(wanted.limit));
            columns.besides.extend(wanted.beside.iter().map(|table| key(*table, &[])));
        }
        columns
    }
}

/// The statements that read what is wanted.
pub(super) struct Statements {
    rows: Option<Statement>,
    forwards: Option<Statement>,
    backwards: Option<Statement>,
    behind: Option<Statement>,
}

impl Statements {
    pub(super) async fn prepare(connection: &mut Connection, wants: &Wants) -> Result<Self, Error> {
        let has_spans = |is_backwards| wants.spans.iter().any(|wanted| wanted.span.is_backwards == is_backwards);
        let mut prepare =
            async |is_wanted, sql| Ok(if is_wanted { Some(connection.prepare(sql).await?) } else { None });
        Ok(Self {
            rows: prepare(!wants.rows.is_empty(), ROWS).await?,
            forwards: prepare(has_spans(false), FORWARDS).await?,
            backwards: prepare(has_spans(true), BACKWARDS).await?,
            behind: prepare(wants.behind.is_some(), BEHIND).await?,
        })
    }

    /// Reads what is wanted, as it is now.
    pub(super) async fn read(&self, client: &Client, wants: &Wants) -> Result<Known, Error> {
        let (forwards, backwards) = (Columns::of(wants, false), Columns::of(wants, true));
        let spans = async |statement: &Option<Statement>, columns: &Columns<'_>| {
            let (Some(statement), Columns { firsts, behinds, most, besides, .. }) = (statement, columns) else {
                return Ok(Vec::new());
            };
            client.query(statement, &[firsts, behinds, most, besides]).await
        };
        let single = async {
            let Some(statement) = &self.rows else { return Ok(Vec::new()) };
            client.query(statement, &[&wants.rows]).await
        };
        let behind = async {
            let (Some(statement), Some(Behind { at, tables })) = (&self.behind, &wants.behind) else {
                return Ok(Vec::new());
            };
            let (prefixes, suffixes): (Vec<_>, Vec<_>) =
                tables.iter().map(|(table, suffix)| (key(*table, &[]), suffix)).unzip();
            client.query(statement, &[at, &prefixes, &suffixes]).await
        };
        let (forwards_found, backwards_found) = (spans(&self.forwards, &forwards), spans(&self.backwards, &backwards));
        // Each statement sees what is committed when it begins, and they begin in this order: what stands beside a row is
        // read before the row, which has it when it stands there no longer.
        let (ahead, back, single, behind) = try_join4(forwards_found, backwards_found, single, behind).await?;
        let mut known = Known::default();
        known.hold(wants, &single, &behind);
        known.hold_spans(&forwards.wanted, &ahead);
        known.hold_spans(&backwards.wanted, &back);
        Ok(known)
    }
}

/// Rows as they were when they were read.
#[derive(Default)]
pub(super) struct Known {
    rows: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
    spans: Vec<(Span, usize, Vec<Pair>)>,
}

impl Known {
    /// A row that was read; `Some(None)` if it is not there.
    pub(super) fn get(&self, at: &[u8]) -> Option<Option<Vec<u8>>> {
        self.rows.get(at).cloned()
    }

    pub(super) fn keep(&mut self, at: Vec<u8>, value: Option<Vec<u8>>) {
        self.rows.insert(at, value);
    }

    /// The first pairs of a span, if as many were read.
    pub(super) fn range(&self, span: &Span, limit: usize) -> Option<Vec<Pair>> {
        // What was read last counts.
        let (_, most, pairs) = self.spans.iter().rev().find(|(known, ..)| known == span)?;
        let are_enough = pairs.len() < *most || *most >= limit;
        are_enough.then(|| pairs.iter().take(limit).cloned().collect())
    }

    pub(super) fn absorb(&mut self, later: Self) {
        self.rows.extend(later.rows);
        self.spans.extend(later.spans);
    }

    /// All that was found.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let single = self.rows.iter().filter_map(|(at, value)| Some((at.as_slice(), value.as_deref()?)));
        let in_spans = self.spans.iter().flat_map(|(_, _, pairs)| pairs);
        single.chain(in_spans.map(|(at, value)| (at.as_slice(), value.as_slice())))
    }

    /// Holds what was found of single rows, and that the others are not there.
    fn hold(&mut self, wants: &Wants, single: &[Row], behind: &[Row]) {
        self.rows.extend(wants.rows.iter().map(|at| (at.clone(), None)));
        if let Some(Behind { at, tables }) = &wants.behind {
            self.rows.insert(at.clone(), None);
            let led: Option<Vec<u8>> = behind.iter().find(|row| row.get::<_, &[u8]>(1) == at).map(|row| row.get(2));
            if let Some(id) = led.as_deref().and_then(|led| led.last_chunk::<16>()) {
                let ats = tables.iter().map(|(table, suffix)| key(*table, &[id, suffix]));
                self.rows.extend(ats.map(|at| (at, None)));
            }
        }
        self.rows.extend(single.iter().chain(behind).map(|row| (row.get(1), Some(row.get(2)))));
    }

    fn hold_spans(&mut self, wanted: &[&WantedSpan], found: &[Row]) {
        let mut all: Vec<Vec<Pair>> = wanted.iter().map(|_| Vec::new()).collect();
        let mut besides = Vec::new();
        for row in found {
            let (number, at, value) = (row.get::<_, i64>(0), row.get::<_, Vec<u8>>(1), row.get::<_, Vec<u8>>(2));
            match usize::try_from(number - 1).ok().and_then(|number| all.get_mut(number)) {
                Some(pairs) => pairs.push((at, value)),
                None => besides.push((at, Some(value))),
            }
        }
        for (WantedSpan { span, limit, beside }, mut pairs) in wanted.iter().zip(all) {
            pairs.sort_unstable();
            if span.is_backwards {
                pairs.reverse();
            }
            for table in beside {
                self.rows.extend(pairs.iter().map(|(at, _)| (key(*table, &[&at[1..]]), None)));
            }
            self.spans.push((span.clone(), *limit, pairs));
        }
        self.rows.extend(besides);
    }
}
