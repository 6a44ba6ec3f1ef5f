import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FakePerson, people } from "../../testing/fakePerson";
import { inRoom } from "../../testing/inRoom";
import { Opened } from "./Opened";

beforeEach(() => vi.stubGlobal("fetch", async () => new Response("a picture")));
afterEach(cleanup);

function download({ chat, messages }: FakePerson) {
  const { unmount, screen: open } = inRoom(<Opened />, {}, { store: chat.store, actions: chat });
  act(() => open.setState({ open: { is: "viewer", key: messages[0]?.key ?? "" } }));
  const link = screen.getByRole<HTMLAnchorElement>("link", { name: "Download" });
  const [name, address] = [link.download, link.getAttribute("href")];
  unmount();
  return [name, address];
}

test("a picture is called by what it is: one's own copy by its format, the server's as the JPEG that is", async () => {
  const { room, one } = await people();
  one.chat.sendPicture(new Blob(["p"], { type: "image/png" }), "");
  await room.clock.pass(3000);
  const { seq } = one.messages[0] ?? {};
  expect(download(one)).toEqual([`annon-${seq}.png`, expect.stringMatching(/^blob:/)]);
  // Looked at again, it is the server's here, too.
  one.chat.stop();
  expect(download(one)).toEqual([`annon-${seq}.jpg`, expect.stringMatching(/^\/api\/room\//)]);
});
