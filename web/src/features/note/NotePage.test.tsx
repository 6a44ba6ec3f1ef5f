import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { renderPage } from "@/shared/testing/renderPage";
import { capped, characters } from "@/shared/text/characters";
import { checkNote, NoteForm } from "./NotePage";

const onSent = vi.fn();

/** A server that knows one target, which is what it tells who asks for the name. */
function server(known: string, current = known) {
  vi.stubGlobal("fetch", async (url: string, init?: RequestInit) => {
    if (url === "/api/annon/wildfox") return Response.json({ status: 200, message: current });
    const { id } = JSON.parse(String(init?.body));
    if (id === known)
      return Response.json({ status: 201, message: "Anonymous Message Sent" }, { status: 201 });
    return Response.json({ status: 404, message: "No one here goes by that name." }, { status: 404 });
  });
}

function send(target: string) {
  renderPage(<NoteForm onSent={onSent} target={target} username="wildfox" />);
  fireEvent.change(screen.getByLabelText("Your anonymous message"), { target: { value: "you were great" } });
  fireEvent.click(screen.getByRole("button", { name: "Send it" }));
}

test("what was written and not sent is there after a reload, to this person and in this tab alone", async () => {
  const box = () => screen.getByLabelText<HTMLTextAreaElement>("Your anonymous message");
  const open = (username: string) =>
    renderPage(<NoteForm onSent={onSent} target="here" username={username} />);
  open("wildfox");
  fireEvent.change(box(), { target: { value: "half a sen" } });
  cleanup();
  open("somebody");
  expect(box().value).toBe("");
  cleanup();
  open("wildfox");
  expect(box().value).toBe("half a sen");
  cleanup();
  server("here");
  send("here");
  await waitFor(() => expect(onSent).toHaveBeenCalledOnce());
  cleanup();
  open("wildfox");
  expect(box().value).toBe("");
  expect(Object.keys(localStorage)).toEqual([]);
  expect(Object.values(sessionStorage).join("")).toBe("");
});

test("somebody who is gone is gone, and the words stay", async () => {
  server("nowhere", "gone, too");
  send("old");
  await screen.findByText("No one here goes by that name.");
  expect(onSent).not.toHaveBeenCalled();
  expect(screen.getByLabelText<HTMLTextAreaElement>("Your anonymous message").value).toBe("you were great");
});

test("a note has at least 10 characters, blanks around it not counted", () => {
  const tooShort = "Please Lengthen your message to more than 10 Characters";
  expect(checkNote({ message: "123456789" })).toEqual({ message: tooShort });
  expect(checkNote({ message: "    12345    " })).toEqual({ message: tooShort });
  expect(checkNote({ message: "🦊".repeat(9) })).toEqual({ message: tooShort });
  expect(checkNote({ message: "\u200b".repeat(20) })).toEqual({ message: tooShort });
  expect(checkNote({ message: "1234567890" })).toEqual({});
  expect(checkNote({ message: "🦊".repeat(10) })).toEqual({});
});

test("the cap counts an emoji of one code point as one character and splits none", () => {
  expect(characters("🦊🦊")).toBe(2);
  expect(capped("🦊🦊🦊", 2)).toBe("🦊🦊");
  expect(capped("abc", 3)).toBe("abc");
});
