/** A place in a library's source, and what stands there instead. */
export type Cut = { pattern: RegExp; replacement: string };

/** By what the app doesn't use. */
export type Cuts = Readonly<Record<string, readonly Cut[]>>;

export function slim(code: string, cuts: Cuts): string {
  return Object.values(cuts)
    .flat()
    .reduce((left, { pattern, replacement }) => left.replace(pattern, replacement), code);
}

/** A condition that never holds here. */
export const never = (pattern: RegExp): Cut => ({ pattern, replacement: "false" });

/** Code that isn't needed. */
export const gone = (pattern: RegExp): Cut => ({ pattern, replacement: "" });

/** A statement that has nothing to do here. */
export const skipped = (pattern: RegExp): Cut => ({ pattern, replacement: "false && $&" });

/** A function with another body. */
export const instead = (name: string, body: string): Cut => ({
  pattern: wholeFunction(name),
  replacement: `$1$2${body}}`,
});

/** A function that has nothing to do here, and whose answer is the same each time. */
export const idle = (name: string, answer = "void 0"): Cut => ({
  pattern: wholeFunction(name),
  replacement: `$1/* @__NO_SIDE_EFFECTS__ */ $2return ${answer};}`,
});

/** It ends where a brace stands as far to the right as its first word. */
function wholeFunction(name: string): RegExp {
  return new RegExp(
    String.raw`^( *)((?:async )?function ${name}\((?:.*|\{[^}]*\}|[^()]*)\) \{)\n[\s\S]*?\n\1\}$`,
    "m",
  );
}
