// Written by `make wire` from contract/src; don't edit.

/** Every emoji that a member can get. */
export const PALETTE = Array.from(
  "🐶🐱🐭🐰🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧🐺🐴🦄🐝🐛🐌🐞🐢🐍🦀🐙🐠🐬🐳🐊🐘🐪🐑🦉🌵🌻🍄🌈⭐🍎🍋🍇🍓🍒🍍🌽🍕🍩🍪🎃👻🤖👽🚀⛵🎈🎸⚽🏀💎🔔🌙🍉🍌🍦",
);

/** Stands for a member of whom a damaged log has lost who they are. */
export const UNKNOWN_MEMBER = "👤";
