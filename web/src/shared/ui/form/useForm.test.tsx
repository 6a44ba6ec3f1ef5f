import { act, waitFor } from "@testing-library/react";
import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, expect, test } from "vitest";
import { nextTask } from "@/shared/tasks";
import { useForm } from "./useForm";

const DRAFT = "Words of yesterday";

/** A form of a page of the server, whose words this browser has kept. */
function Form() {
  const { field } = useForm(
    { words: "" },
    () => ({}),
    async () => {},
    { kept: () => ({ words: DRAFT }) },
  );
  const { value, onValue } = field("words");
  return <textarea onChange={(event) => onValue(event.currentTarget.value)} value={value} />;
}

const app = <Form />;

/** The form before the app has taken it over. */
function page(): [HTMLElement, HTMLTextAreaElement] {
  const container = document.createElement("div");
  container.innerHTML = renderToString(app);
  document.body.append(container);
  const box = container.querySelector("textarea");
  if (!box) throw new Error("there is no box");
  return [container, box];
}

/** Puts words before those that are there, as a browser does: the app hears of it only by the event. */
function insert(box: HTMLTextAreaElement, words: string) {
  const value = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value");
  value?.set?.call(box, words + box.value);
  box.dispatchEvent(new InputEvent("input", { bubbles: true, data: words }));
}

afterEach(() => document.body.replaceChildren());

test("what this browser has kept is filled in", async () => {
  const [container, box] = page();
  await act(async () => hydrateRoot(container, app));
  await waitFor(() => expect(box.value).toBe(DRAFT));
});

test("words that come while the app takes over the page stay alone", async () => {
  const [container, box] = page();
  startTransition(() => void hydrateRoot(container, app));
  // The app takes the page over at once, while the browser is about to put the words where the caret is.
  box.dispatchEvent(new Event("textInput", { bubbles: true }));
  insert(box, "New words");
  await act(nextTask);
  await act(nextTask);
  expect(box.value).toBe("New words");
});
