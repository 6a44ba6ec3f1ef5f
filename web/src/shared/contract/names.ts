// Written by `make wire` from contract/src; don't edit.

/** Unicode's direction marks, for a class of a regular expression. */
export const DIRECTION_MARKS = "\u061c\u200e-\u200f\u202a-\u202e\u2066-\u2069";

/** Those of them that force a direction on letters. */
export const FORCING_MARKS = "\u202d-\u202e";
