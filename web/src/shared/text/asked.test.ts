import { expect, test } from "vitest";
import { asked, withQuestion } from "./asked";

test("a question is found again, and what was written below it", () => {
  const note = withQuestion("Ask me about music", "The third suite,\nplease.");
  expect(asked(note)).toEqual({ question: "Ask me about music", words: "The third suite,\nplease." });
});

test.each([
  "just words",
  "“quoted” words",
  "“quoted”\n",
  "“two\nlines”\nwords",
  "“”\nwords",
  `“${"a".repeat(81)}”\nwords`,
])("%j asks nothing", (note) => {
  expect(asked(note)).toEqual({ words: note });
});
