// Written by `make wire` from contract/src; don't edit.

/** Every emoji that somebody can be. */
export const PALETTE = Array.from(
  "🐶🐱🐭🐰🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧🐺🐴🦄🐝🐛🐌🐞🐢🐍🦀🐙🐠🐬🐳🐊🐘🐪🐑🦉🌵🌻🍄🌈⭐🍎🍋🍇🍓🍒🍍🌽🍕🍩🍪🎃👻🤖👽🚀⛵🎈🎸⚽🏀💎🔔🌙🍉🍌🍦",
);
