//! What the server counts itself, read from its `/metrics`.

/// The counters that tell how many acknowledgements shared a sync.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Commits {
    /// Commits of the store, each with one sync.
    pub(crate) commits: u64,
    /// Calls those commits answered.
    pub(crate) calls: u64,
}

impl Commits {
    /// Nothing when the text doesn't have them.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Some(Self {
            commits: counter(text, "annon_store_commits_total")?,
            calls: counter(text, "annon_store_commit_calls_total")?,
        })
    }

    /// What came after `earlier`. Nothing when the server was started anew
    /// in between.
    pub(crate) fn since(self, earlier: Self) -> Option<Self> {
        let commits = self.commits.checked_sub(earlier.commits)?;
        Some(Self { commits, calls: self.calls.checked_sub(earlier.calls)? })
    }

    pub(crate) fn calls_per_commit(self) -> Option<f64> {
        (self.commits > 0).then(|| self.calls as f64 / self.commits as f64)
    }
}

fn counter(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counters_are_read_and_compared() {
        let text = "# HELP annon_store_commits Commits\n# TYPE annon_store_commits counter\n\
                    annon_store_commits_total 12\nannon_store_commit_calls_total 60\n# EOF\n";
        let read = Commits::parse(text).unwrap();
        assert_eq!(read, Commits { commits: 12, calls: 60 });
        let since = read.since(Commits { commits: 2, calls: 10 }).unwrap();
        assert_eq!(since.calls_per_commit(), Some(5.0));
        assert_eq!(read.since(Commits { commits: 13, calls: 60 }), None);
        assert_eq!(Commits { commits: 0, calls: 0 }.calls_per_commit(), None);
        assert_eq!(Commits::parse("# EOF\n"), None);
    }
}
