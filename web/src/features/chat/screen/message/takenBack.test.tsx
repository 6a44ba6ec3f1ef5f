import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FakePerson } from "../../testing/fakePerson";
import { people } from "../../testing/fakePerson";
import type { FakeRoom } from "../../testing/fakeRoom";
import { ChatContext } from "../chatContext";
import { ReplyBar } from "../composer/ReplyBar";
import { Announcer } from "../log/Announcer";
import { MessageMenu } from "../overlays/MessageMenu";
import { Viewer } from "../overlays/Viewer";
import { createScreen } from "../screen";

const SECRET = "I didn't mean that";

let room: FakeRoom;
let one: FakePerson;
let two: FakePerson;

beforeEach(async () => {
  vi.stubGlobal("fetch", async () => new Response("a picture"));
  ({ room, one, two } = await people());
  two.chat.send(SECRET);
  await room.clock.pass(300);
});

afterEach(cleanup);

/** A part of one's screen, and what is open on it. */
function show(part: ReactNode, person = one) {
  const open = createScreen(person.chat.draft().replyTo);
  render(
    <ChatContext value={{ store: person.chat.store, actions: person.chat, screen: open }}>
      {part}
    </ChatContext>,
  );
  return open;
}

async function takeBack(words = SECRET) {
  await act(async () => {
    two.chat.unsend(two.said(words));
    await room.clock.pass(300);
  });
}

const shown = () => document.body.textContent;

test("the bar above an answer loses what was taken back, and nothing of it is kept on the device", async () => {
  one.chat.keepDraft({ words: "What?", replyTo: one.said(SECRET).seq });
  show(<ReplyBar />);
  expect(shown()).toContain(SECRET);
  await takeBack();
  expect(shown()).not.toContain(SECRET);
  expect(screen.getByText("Message removed")).toBeTruthy();
  expect(JSON.stringify([...one.storage.kept])).not.toContain("mean that");
});

test("a picture that is looked at closes when it is taken back", async () => {
  two.chat.sendPicture(new Blob(["p"], { type: "image/jpeg" }), "my caption");
  await room.clock.pass(1500);
  const open = show(<Viewer />);
  act(() => open.setState({ viewing: one.said("my caption").key }));
  expect(shown()).toContain("my caption");
  await takeBack("my caption");
  expect(shown()).not.toContain("my caption");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(open.getState().viewing).toBeUndefined();
});

test("a menu that is open closes when its message is taken back", async () => {
  const open = show(<MessageMenu />);
  const from = document.body;
  act(() => open.setState({ menu: { key: one.said(SECRET).key, point: { x: 0, y: 0 }, from } }));
  expect(screen.getByRole("menuitem", { name: "Copy" })).toBeTruthy();
  await takeBack();
  expect(screen.queryByRole("menu")).toBeNull();
  expect(open.getState().menu).toBeUndefined();
});

test("what was read out is no longer there to be read again", async () => {
  show(<Announcer />);
  two.chat.send("nor that");
  await act(() => room.clock.pass(300));
  const read = () => screen.getByText(/: nor that$/);
  await waitFor(read);
  await takeBack("nor that");
  expect(screen.queryByText(/: nor that$/)).toBeNull();
});

test("an answer that is on its way loses what it quotes, also when that was taken back while nobody looked", async () => {
  room.isUp = false;
  room.cut();
  one.chat.send("What?", one.said(SECRET));
  one.chat.stop();
  room.unsend("🐶", one.said(SECRET).id);
  const again = one.reloaded();
  expect(again.said("What?").reply).toMatchObject({ words: "", picture: "" });
});
