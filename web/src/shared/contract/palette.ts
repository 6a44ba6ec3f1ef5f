// Written by `make wire` from contract/src; don't edit.

/** Every emoji that a member can get. */
export const PALETTE = Array.from(
  "🐶🐱🐭🐰🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧🐺🐴🦄🐝🐛🐌🐞🐢🐍🦀🐙🐠🐬🐳🐊🐘🐪🐑🦉🌵🌻🍄🌈⭐🍎🍋🍇🍓🍒🍍🌽🍕🍩🍪🎃👻🤖👽🚀⛵🎈🎸⚽🏀💎🔔🌙🍉🍌🍦",
);
