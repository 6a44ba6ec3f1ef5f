//! The palette of emojis: emoji that differ at a glance and that phones of
//! 2016 can draw. Places in it are on disk, so it only ever grows.

/// Every emoji, in its place.
pub const PALETTE: [&str; 66] = [
    "🐶", "🐱", "🐭", "🐰", "🦊", "🐻", "🐼", "🐨", "🐯", "🦁", "🐮", "🐷", "🐸", "🐵", "🐔", "🐧", "🐺", "🐴", "🦄",
    "🐝", "🐛", "🐌", "🐞", "🐢", "🐍", "🦀", "🐙", "🐠", "🐬", "🐳", "🐊", "🐘", "🐪", "🐑", "🦉", "🌵", "🌻", "🍄",
    "🌈", "⭐", "🍎", "🍋", "🍇", "🍓", "🍒", "🍍", "🌽", "🍕", "🍩", "🍪", "🎃", "👻", "🤖", "👽", "🚀", "⛵", "🎈",
    "🎸", "⚽", "🏀", "💎", "🔔", "🌙", "🍉", "🍌", "🍦",
];
