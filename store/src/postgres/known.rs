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

/// The first pairs of spans, each with the number of its span, and what stands beside them in other tables: there it is in
/// the span of their keys, so one look at each table finds it.
macro_rules! spans {
    ($order:literal) => {
        concat!(
            "WITH page AS (SELECT s.n, p.ats, p.values, least(ats[1], ats[cardinality(ats)]) AS low, \
                     greatest(ats[1], ats[cardinality(ats)]) AS high \
                 FROM unnest($1::bytea[], $2::bytea[], $3::int8[]) WITH ORDINALITY AS s (first, behind, most, n) \
                 CROSS JOIN LATERAL (SELECT array_agg(at) AS ats, array_agg(value) AS values \
                     FROM (SELECT at, value FROM kept WHERE at >= s.first AND at < s.behind ORDER BY at ",
            $order,
            " LIMIT s.most) k) p) \
             SELECT n, unnest(ats), unnest(values) FROM page \
             UNION ALL SELECT 0, b.at, b.value FROM page CROSS JOIN unnest($4::bytea[]) AS t (beside) \
                 CROSS JOIN LATERAL (SELECT at, value FROM kept \
                     WHERE at >= t.beside || substr(low, 2) AND at <= t.beside || substr(high, 2) \
                         AND substr(low, 1, 1) || substr(at, 2) = ANY (ats) OFFSET 0) b"
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
    spans: Vec<KnownSpan>,
}

/// The first pairs of a span, at most so many. Of what was looked for beside them, `rows` has what is there.
struct KnownSpan {
    wanted: WantedSpan,
    pairs: Vec<Pair>,
}

impl KnownSpan {
    /// Whether this row was looked for, beside one of the pairs.
    fn has_beside(&self, at: &[u8]) -> bool {
        let Some((table, rest)) = at.split_first() else { return false };
        let is_backwards = self.wanted.span.is_backwards;
        let by_rest = |(key, _): &Pair| if is_backwards { rest.cmp(&key[1..]) } else { key[1..].cmp(rest) };
        self.wanted.beside.iter().any(|beside| *beside as u8 == *table) && self.pairs.binary_search_by(by_rest).is_ok()
    }
}

impl Known {
    /// A row that was read; `Some(None)` if it is not there.
    pub(super) fn get(&self, at: &[u8]) -> Option<Option<Vec<u8>>> {
        let known = self.rows.get(at).cloned();
        known.or_else(|| self.spans.iter().any(|span| span.has_beside(at)).then_some(None))
    }

    pub(super) fn keep(&mut self, at: Vec<u8>, value: Option<Vec<u8>>) {
        self.rows.insert(at, value);
    }

    /// The first pairs of a span, if as many were read.
    pub(super) fn range(&self, span: &Span, limit: usize) -> Option<Vec<Pair>> {
        // What was read last counts.
        let KnownSpan { wanted, pairs } = self.spans.iter().rev().find(|known| known.wanted.span == *span)?;
        let are_enough = pairs.len() < wanted.limit || wanted.limit >= limit;
        are_enough.then(|| pairs.iter().take(limit).cloned().collect())
    }

    pub(super) fn absorb(&mut self, later: Self) {
        // What was looked for again and is not there any more.
        self.rows.retain(|at, _| !later.spans.iter().any(|span| span.has_beside(at)));
        self.rows.extend(later.rows);
        self.spans.extend(later.spans);
    }

    /// All that was found.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let single = self.rows.iter().filter_map(|(at, value)| Some((at.as_slice(), value.as_deref()?)));
        let in_spans = self.spans.iter().flat_map(|span| &span.pairs);
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
        for (wanted, mut pairs) in wanted.iter().copied().cloned().zip(all) {
            pairs.sort_unstable();
            if wanted.span.is_backwards {
                pairs.reverse();
            }
            self.spans.push(KnownSpan { wanted, pairs });
        }
        self.rows.extend(besides);
    }
}
