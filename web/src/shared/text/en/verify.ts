/** The words of the page that looks at the app's own code. */
export const verify = {
  heading: "Check the code",
  small: "is it what was published?",
  lead: "A sealed group is only as safe as the code that seals it, and that code comes from this site. Here you can see whether it’s the code that was published.",
  how: "This page loads every file of the app as your browser gets it, and works out one number for all of them: change a single letter, and the number is another one.",
  check: "Check",
  again: "Check again",
  looking: (done: number, all: number) => (all === 0 ? "Looking" : `${done} of ${all} files`),
  same: (count: number, version: string) =>
    `All ${count} files are as this site says. It calls itself version ${version}.`,
  differs: "These files aren’t what this site says they are:",
  digest: "The number of all files:",
  paste: "Paste the number from the release notes",
  published: "It’s the number you pasted: your browser has the code that was published.",
  notPublished: "That’s another number. This site may have another version, or changed code.",
  limits: {
    heading: "What this can’t tell",
    lies: "A site that wants to cheat could cheat on this page too. So don’t ask this site for the number to compare: take it from the release notes, from someone you trust, or from a program of the same version:",
    build: "The program can be built from its source by anyone, and gives the same bytes.",
  },
};
