import { PROMPT_MAX } from "@/shared/contract/limits";

const ASKED = new RegExp(`^“([^“”\\n]{1,${PROMPT_MAX}})”\\n(?=.)`, "su");

/** A note that answers one of its owner's prompts begins with the prompt, in quotation marks and on a line of its own. */
export const withQuestion = (question: string, answer: string) => `“${question}”\n${answer}`;

/** The prompt that a note answers, if it does, and what its sender has written. */
export function asked(note: string): { question?: string; words: string } {
  const [whole, question] = ASKED.exec(note) ?? [];
  return whole === undefined || !question ? { words: note } : { question, words: note.slice(whole.length) };
}
