// Written by `make wire` from contract/src; don't edit.

/** The marks by which a text says in which direction it is read, for a class of a regular expression. */
export const DIRECTION_MARKS = "\u061c\u200e-\u200f\u202a-\u202e\u2066-\u2069";
