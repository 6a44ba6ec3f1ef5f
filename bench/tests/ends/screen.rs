//! As much of a terminal as the program makes use of.

/// What is on it, without end downwards.
pub(crate) struct Screen {
    columns: usize,
    rows: Vec<Vec<char>>,
    /// Where the next letter goes.
    row: usize,
    column: usize,
    /// Whether a line with a bar has gone on to the next row.
    pub(crate) has_folded_a_bar: bool,
}

impl Screen {
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns, rows: vec![Vec::new()], row: 0, column: 0, has_folded_a_bar: false }
    }

    /// Takes what a program says.
    pub(crate) fn show(&mut self, said: &str) {
        let mut rest = said;
        while let Some(letter) = rest.chars().next() {
            if let Some(behind) = rest.strip_prefix("\x1b[J") {
                self.rows.truncate(self.row + 1);
                self.rows[self.row].truncate(self.column);
                rest = behind;
                continue;
            }
            assert!(!letter.is_control() || matches!(letter, '\r' | '\n'), "{letter:?} is not known: {said}");
            match letter {
                '\r' => self.column = 0,
                '\n' => self.down(),
                letter => self.write(letter),
            }
            rest = &rest[letter.len_utf8()..];
        }
    }

    fn down(&mut self) {
        self.row += 1;
        if self.rows.len() == self.row {
            self.rows.push(Vec::new());
        }
    }

    fn write(&mut self, letter: char) {
        if self.column == self.columns {
            self.has_folded_a_bar |= self.rows[self.row].iter().any(|shown| matches!(shown, '█' | '░'));
            self.down();
            self.column = 0;
        }
        let row = &mut self.rows[self.row];
        row.resize(row.len().max(self.column + 1), ' ');
        row[self.column] = letter;
        self.column += 1;
    }

    /// What stands there.
    pub(crate) fn text(&self) -> String {
        self.rows.iter().map(|row| row.iter().collect::<String>() + "\n").collect()
    }

    /// Whether the next line would begin where it should.
    pub(crate) fn is_at_the_left(&self) -> bool {
        self.column == 0
    }
}
