//! The emoji that members can get: all look different at first sight, and phones
//! of 2016 can draw them. Their indexes are on disk, so only append new ones.

/// Stands for a member of whom a damaged log has lost who they are. Nobody gets it.
pub const UNKNOWN_MEMBER: &str = "👤";

/// Every emoji, by its index.
pub const PALETTE: &[&str] = &[
    "🐶", "🐱", "🐭", "🐰", "🦊", "🐻", "🐼", "🐨", "🐯", "🦁", "🐮", "🐷", "🐸", "🐵", "🐔", "🐧", "🐺", "🐴", "🦄",
    "🐝", "🐛", "🐌", "🐞", "🐢", "🐍", "🦀", "🐙", "🐠", "🐬", "🐳", "🐊", "🐘", "🐪", "🐑", "🦉", "🌵", "🌻", "🍄",
    "🌈", "⭐", "🍎", "🍋", "🍇", "🍓", "🍒", "🍍", "🌽", "🍕", "🍩", "🍪", "🎃", "👻", "🤖", "👽", "🚀", "⛵", "🎈",
    "🎸", "⚽", "🏀", "💎", "🔔", "🌙", "🍉", "🍌", "🍦",
];
