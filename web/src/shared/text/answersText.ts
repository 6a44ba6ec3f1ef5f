import { answers } from "./en/answers";
import { inUse } from "./language";

export type AnswersText = typeof answers;

const others = import.meta.glob<AnswersText>(["./*/answers.ts", "!./en/*"], { import: "answers" });

export const answersText = await inUse(answers, others);
