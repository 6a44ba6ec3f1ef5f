import { expect, test } from "vitest";
import { Chain } from "./Chain";

/** A message: its place, its number, the one it names, and what its sender had seen. Its hash is "h" and its number, unless it is given. */
type Said = [seq: number, n: number, p: string, s?: number, hash?: string];

function doubts(said: readonly Said[], before: (chain: Chain) => void = () => {}) {
  const chain = new Chain();
  chain.begins(0, true);
  before(chain);
  return said.map(([seq, n, p, s = seq - 1, hash = `h${n}`]) => chain.add("🦊", seq, hash, { n, p, s }));
}

test.each<[string, Said[], (string | undefined)[]]>([
  [
    "in order",
    [
      [1, 0, ""],
      [3, 1, "h0"],
      [4, 2, "h1"],
    ],
    [undefined, undefined, undefined],
  ],
  [
    "one is kept back",
    [
      [1, 0, ""],
      [4, 2, "h1"],
    ],
    [undefined, "missing"],
  ],
  [
    "two are kept back",
    [
      [1, 0, ""],
      [2, 1, "h0"],
      [9, 4, "h3"],
    ],
    [undefined, undefined, "missing"],
  ],
  [
    "two change places",
    [
      [1, 0, ""],
      [2, 2, "h1"],
      [3, 1, "h0"],
    ],
    [undefined, "missing", undefined],
  ],
  [
    "one names another before it",
    [
      [1, 0, ""],
      [2, 1, "other"],
    ],
    [undefined, "missing"],
  ],
  [
    "two tabs at once",
    [
      [1, 0, ""],
      [2, 1, "h0"],
      [3, 1, "h0", 2, "other tab"],
      [4, 2, "h1"],
    ],
    [undefined, undefined, undefined, undefined],
  ],
  [
    "an old one comes again at a later place",
    [
      [1, 0, ""],
      [2, 1, "h0"],
      [3, 2, "h1"],
      [5, 1, "h0"],
    ],
    [undefined, undefined, undefined, "misplaced"],
  ],
  [
    "it has seen what came later",
    [
      [1, 0, ""],
      [2, 1, "h0", 2],
    ],
    [undefined, "misplaced"],
  ],
  [
    "a new key begins anew",
    [
      [1, 0, ""],
      [2, 1, "h0"],
      [6, 0, "", 5, "new"],
      [7, 1, "new", 6, "newer"],
    ],
    [undefined, undefined, undefined, undefined],
  ],
])("%s", (_, said, expected) => expect(doubts(said)).toEqual(expected));

test("what was taken back is not missing, as far as it goes", () => {
  const gone = (chain: Chain) => chain.lost("🦊", 2);
  expect(
    doubts(
      [
        [1, 0, ""],
        [3, 2, "h1"],
      ],
      gone,
    ),
  ).toEqual([undefined, undefined]);
  expect(
    doubts(
      [
        [1, 0, ""],
        [3, 3, "h2"],
      ],
      gone,
    ),
  ).toEqual([undefined, "missing"]);
  const others = (chain: Chain) => chain.lost("🐶", 2);
  expect(
    doubts(
      [
        [1, 0, ""],
        [3, 2, "h1"],
      ],
      others,
    ),
  ).toEqual([undefined, "missing"]);
});

test("nothing is missing where lines aren't loaded", () => {
  const chain = new Chain();
  chain.begins(50, true);
  expect(chain.add("🦊", 50, "h7", { n: 7, p: "h6", s: 49 })).toBeUndefined();
  // The newest page takes the place of all that was loaded.
  chain.begins(90, true);
  expect(chain.add("🦊", 95, "h30", { n: 30, p: "h29", s: 94 })).toBeUndefined();
  // An older page joins it.
  chain.begins(60, false);
  expect(chain.add("🦊", 61, "h20", { n: 20, p: "h19", s: 60 })).toBeUndefined();
  expect(chain.add("🦊", 70, "h22", { n: 22, p: "h21", s: 60 })).toBe("missing");
});

test("a hole between two pages is said once the older page is there", () => {
  const chain = new Chain();
  const add = (seq: number, n: number, sender = "🦊") =>
    chain.add(sender, seq, `h${n}`, { n, p: `h${n - 1}`, s: seq - 1 });
  chain.begins(50, true);
  for (const seq of [50, 51]) expect(add(seq, seq - 43)).toBeUndefined();
  expect(add(52, 3, "🐶")).toBeUndefined();
  expect(chain.joined()).toEqual([]);
  // The dog says nothing on this page. The fox's sixth message is kept back.
  chain.begins(40, false);
  for (const seq of [40, 41]) expect(add(seq, seq - 36)).toBeUndefined();
  expect(chain.joined()).toEqual([{ sender: "🦊", after: 41, doubt: "missing" }]);
  expect(chain.joined(), "it is said once").toEqual([]);
  chain.begins(30, false);
  for (const seq of [30, 31]) expect(add(seq, seq - 28)).toBeUndefined();
  expect(add(32, 2, "🐶")).toBeUndefined();
  expect(chain.joined(), "nothing is missing here").toEqual([]);
});

test("between two pages what was unsent is not missing, and another order is noticed", () => {
  const chain = new Chain();
  chain.begins(50, true);
  chain.add("🦊", 50, "h7", { n: 7, p: "h6", s: 49 });
  chain.add("🐶", 51, "h2", { n: 2, p: "h1", s: 49 });
  chain.begins(40, false);
  chain.add("🦊", 40, "h5", { n: 5, p: "h4", s: 39 });
  chain.lost("🦊", 41);
  chain.add("🐶", 42, "h3", { n: 3, p: "h2", s: 39 });
  expect(chain.joined()).toEqual([{ sender: "🐶", after: 42, doubt: "misplaced" }]);
});

test("what waits for an older page is forgotten when the newest page takes the place of all", () => {
  const chain = new Chain();
  chain.begins(50, true);
  chain.add("🦊", 50, "h7", { n: 7, p: "h6", s: 49 });
  chain.begins(60, true);
  chain.begins(40, false);
  chain.add("🦊", 40, "h5", { n: 5, p: "h4", s: 39 });
  expect(chain.joined()).toEqual([]);
});
