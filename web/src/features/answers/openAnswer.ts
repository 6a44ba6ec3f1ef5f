import { api } from "@/shared/api/api";
import { isTrouble } from "@/shared/api/client";
import type { Answer } from "./AnswerCard";

/** The answer at an address, or why it can't be shown. */
export type OpenedAnswer = { kind: "answer"; answer: Answer } | { kind: "gone" | "later" };

export async function openAnswer(username: string, id: string): Promise<OpenedAnswer> {
  try {
    const { data } = await api("get", "/api/annon/{username}/answers/{id}", { params: { username, id } });
    return { kind: "answer", answer: data };
  } catch (failure) {
    return { kind: isTrouble(failure) ? "later" : "gone" };
  }
}

/** When the pages are drawn, the address says what to draw; the server puts its words in. */
export function drawnAnswer(search: string): OpenedAnswer {
  if (search === "?gone" || search === "?later") return { kind: search === "?gone" ? "gone" : "later" };
  return { kind: "answer", answer: { id: "", note: "{note}", answer: "{answer}", date: "{date}" } };
}
