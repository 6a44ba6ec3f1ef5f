//! The emoji that members can get: all look different at first sight, and phones
//! of 2016 can draw them. Their indexes are on disk, so only append new ones.

/// Every emoji, by its index.
pub const PALETTE: &[&str] = &[
    "🐶", "🐱", "🐭", "🐰", "🦊", "🐻", "🐼", "🐨", "🐯", "🦁", "🐮", "🐷", "🐸", "🐵", "🐔", "🐧", "🐺", "🐴", "🦄",
    "🐝", "🐛", "🐌", "🐞", "🐢", "🐍", "🦀", "🐙", "🐠", "🐬", "🐳", "🐊", "🐘", "🐪", "🐑", "🦉", "🌵", "🌻", "🍄",
    "🌈", "⭐", "🍎", "🍋", "🍇", "🍓", "🍒", "🍍", "🌽", "🍕", "🍩", "🍪", "🎃", "👻", "🤖", "👽", "🚀", "⛵", "🎈",
    "🎸", "⚽", "🏀", "💎", "🔔", "🌙", "🍉", "🍌", "🍦",
];
