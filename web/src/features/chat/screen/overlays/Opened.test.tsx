import { act, fireEvent, screen } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Message } from "../../model/chat";
import { type FakePerson, PICTURE, people } from "../../testing/fakePerson";
import type { FakeRoom } from "../../testing/fakeRoom";
import { inRoom } from "../../testing/inRoom";
import { type ChatContextValue, useChat } from "../chatContext";
import { rowsOf } from "../log/listRows";
import { MessageRow } from "../message/MessageRow";
import { useRowKeys } from "../message/useRowKeys";
import { Opened } from "./Opened";

let room: FakeRoom;
let one: FakePerson;
let over: ChatContextValue["screen"];

beforeEach(async () => {
  ({ room, one } = await people());
  const { store } = one.chat;
  ({ screen: over } = inRoom(
    [<Lines key="lines" />, <Opened key="open" />],
    {},
    { store, actions: one.chat },
  ));
});

function Lines() {
  const lines = useChat((chat) => chat.lines);
  const keys = useRowKeys(rowsOf(lines), { current: null }, { current: null });
  const messages = lines.filter((line): line is Message => line.kind === "message");
  return (
    <div onKeyDown={keys} role="log">
      {messages.map((message) => (
        <MessageRow first key={message.key} last message={message} />
      ))}
    </div>
  );
}

const pass = (ms: number) => act(() => room.clock.pass(ms));
const showPicture = () => one.chat.sendPicture(PICTURE, "");
const more = () => screen.queryByRole("button", { name: "More" });
const items = () => screen.queryAllByRole("menuitem").map(({ textContent }) => textContent);

test("a picture that is being uploaded can be called back", async () => {
  showPicture();
  await pass(100);
  fireEvent.click(more() as HTMLElement);
  expect(items()).toEqual(["Cancel"]);
  fireEvent.click(screen.getByRole("menuitem"));
  await pass(2000);
  expect(screen.queryByRole("article")).toBeNull();
  expect(room.messages).toEqual([]);
});

test("its menu closes when there is nothing more in it, and no empty one opens", async () => {
  showPicture();
  await pass(100);
  fireEvent.click(more() as HTMLElement);
  room.goDown();
  await pass(400);
  expect(one.messages[0]?.delivery.state).toBe("sending");
  expect(screen.queryByRole("menu")).toBeNull();
  expect(more()).toBeNull();
  fireEvent.keyDown(screen.getByRole("article"), { key: "Enter" });
  expect(screen.queryByRole("menu")).toBeNull();
});

test("a failed message shows the reason, and its button tries again", async () => {
  one.uploadFails = (count) => (count <= 2 ? 409 : undefined);
  showPicture();
  await pass(500);
  expect(screen.getByText(/^Not sent: Error Sending Image: This group can’t hold/)).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Retry" }));
  await pass(2000);
  expect(room.messages).toHaveLength(1);
});

test("copied words have no marks that turn other words round", async () => {
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  one.chat.send("\u202emoc.knab\u2066 שלום");
  await pass(500);
  fireEvent.keyDown(screen.getByRole("article"), { key: "Enter" });
  fireEvent.click(screen.getByRole("menuitem", { name: "Copy" }));
  await vi.waitFor(() => expect(copied).toHaveBeenCalledWith("moc.knab שלום"));
});

test("a saved picture has the right ending: an own copy that of its format, the server's file .jpg", async () => {
  vi.stubGlobal("fetch", async () => new Response("a picture"));
  one.chat.sendPicture(new Blob(["p"], { type: "image/png" }), "");
  await pass(3000);
  const { key = "", seq } = one.messages[0] ?? {};
  function download() {
    act(() => over.setState({ open: { is: "viewer", key } }));
    const link = screen.getByRole<HTMLAnchorElement>("link", { name: "Download" });
    const is = [link.download, link.getAttribute("href")];
    act(() => over.setState({ open: undefined }));
    return is;
  }
  expect(download()).toEqual([`annon-${seq}.png`, expect.stringMatching(/^blob:/)]);
  // After the visit has ended, the page's own copy is gone here as well, and the link leads to the server's file.
  one.chat.stop();
  expect(download()).toEqual([`annon-${seq}.jpg`, expect.stringMatching(/^\/api\/room\//)]);
});
