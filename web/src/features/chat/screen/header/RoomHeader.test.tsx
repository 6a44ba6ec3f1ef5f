import { cleanup, render, screen } from "@testing-library/react";
import { MemoryRouter } from "react-router-dom";
import { afterEach, expect, test } from "vitest";
import { createStore } from "zustand/vanilla";
import { paths } from "@/shared/paths";
import type { ChatActions, ChatState } from "../../model/chat";
import { ChatContext } from "../chatContext";
import { createScreen } from "../screen";
import { RoomHeader } from "./RoomHeader";

afterEach(cleanup);

function header(home: string) {
  const room = { name: "midnight tacos", expiresAt: Date.now() + 3_600_000, locked: false };
  const store = createStore(() => ({ room, members: [], active: [] }) as unknown as ChatState);
  render(
    <ChatContext value={{ store, actions: {} as ChatActions, screen: createScreen(undefined) }}>
      <MemoryRouter>
        <RoomHeader home={home} />
      </MemoryRouter>
    </ChatContext>,
  );
}

test.each([
  [paths.landing, "Back to home"],
  [`${paths.home}?tab=groups`, "Back to My Groups"],
])("the way back to %s is called %s", (home, name) => {
  header(home);
  expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(home);
});
