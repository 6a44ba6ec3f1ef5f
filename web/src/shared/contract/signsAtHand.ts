// Written by `make wire` from contract/src; don't edit.

/** The emoji to react with that are at hand. */
export const SIGNS_AT_HAND = ["👍", "❤️", "😂", "😮", "😢", "🙏"];
