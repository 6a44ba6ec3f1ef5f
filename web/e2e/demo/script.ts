/** What the people of the demo write. */

export const CELLIST = {
  username: "nina-cello",
  page: {
    line: "I play the cello, mostly at night.",
    prompts: ["Ask me about music", "What should I listen to next?", "What did you never dare to say?"],
  },
  /** The oldest first. */
  notes: [
    "I was the one who coughed in the slow part. I am so sorry. It was a very dry cake.",
    "You once tuned my violin at a bus stop, in the rain, and missed your bus for it. I play in an orchestra now.",
  ],
  published: [
    ["Is it true that you practise in the laundry room?", "The echo is free. The dryer is in B flat."],
    [
      "Who taught you to play so quietly that a whole room leans in?",
      "My grandmother. She lived below us and went to bed at eight, so I had an hour every evening in which nobody was allowed to hear me. I still play for her.",
    ],
  ],
  onlyForYou: "The woman who cried in the second row was me. I don’t know why I’m telling you.",
  waiting: "Could you play at a very small birthday, in a kitchen, in May?",
  last: "🎻👏👏👏 Last night I forgot to look at my phone for two hours. Thank you.",
  /** What comes while somebody looks on. */
  later: [
    "What do you do with your hands when you don’t play?",
    "My neighbour hums your encore in the lift. I think he doesn’t know.",
    "Please never stop announcing the pieces as if they were your friends.",
    "I’ve been to four of your concerts and never dared to say hello. So: hello.",
    "Was that a wrong note in the second movement? I liked it better.",
    "You wore two different shoes on Friday. It suited the programme.",
  ],
} as const;

export const TALK = {
  note: "I’d love to learn the cello. Is thirty too old to begin?",
  lines: [
    ["owner", "Not at all. My oldest student is 71, and she began two years ago."],
    ["sender", "Then I still have 41 years of excuses left."],
    ["owner", "Come by on a Tuesday. I have one you can borrow."],
    ["sender", "Which Tuesday?"],
  ],
} as const;

export const BAKER = {
  username: "tomek-bakes",
  page: {
    line: "Bread at five, rolls at six. Complaints at any time.",
    prompts: ["What should I bake next?"],
  },
  notes: ["Your rye bread has saved my marriage twice.", "The poppy seed rolls are too small. I said it."],
} as const;

/** A message of a group: who says it, and what. `to` is the message that it replies to, counted from the first. */
interface Said {
  who: number;
  words: string;
  to?: number;
  photo?: boolean;
  reactions?: [who: number, emoji: string][];
}

export const GROUP = "midnight tacos";

export const SAID: Said[] = [
  { who: 0, words: "Who is still awake?" },
  { who: 1, words: "Define awake" },
  { who: 2, words: "I’m horizontal but available", reactions: [[1, "😂"]] },
  { who: 3, words: "The stand by the station has reopened!", reactions: [[0, "🎉"]] },
  { who: 0, words: "🌮🌮🌮" },
  { who: 1, words: "Tacos at two, then?", to: 3 },
  { who: 2, words: "In. Ten minutes. I have no shoes, but I’m in" },
  {
    who: 3,
    words: "They have a lamp now and everything",
    photo: true,
    reactions: [
      [0, "😍"],
      [1, "😍"],
      [2, "🔥"],
    ],
  },
  {
    who: 0,
    words: "Somebody bring the good hot sauce, the one that made us cry last time",
    reactions: [
      [1, "❤️"],
      [2, "❤️"],
    ],
  },
  { who: 1, words: "That wasn’t the sauce, that was the bill", to: 8, reactions: [[3, "😭"]] },
];

/** What they go on to say while somebody looks on. */
export const GOING_ON = [
  [1, "I’m at the corner. Who has the sauce?"],
  [2, "Found one shoe"],
  [0, "One is enough, they only look at your hands there"],
  [3, "The queue is four people and a dog"],
  [1, "The dog is before me and it knows what it wants"],
  [2, "🐕🌮"],
  [0, "Somebody ask whether they still do the green one"],
  [3, "They do!"],
  [1, "I’d like to remain anonymous, but I’m the one who orders five"],
  [2, "We know"],
  [0, "Who was it who told the baker about us?"],
  [3, "Nobody here has a name. That’s the whole point"],
  [1, "True. Hello from whoever I am tonight"],
  [2, "See you all in a minute"],
] as const;
