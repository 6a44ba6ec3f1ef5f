import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { type Chat, ChatContext } from "./chatContext";
import { PreviewForm } from "./PreviewForm";
import { createScreen } from "./screen";

afterEach(cleanup);

test("a caption is counted as a note is: 3 of 100", () => {
  const chat = { screen: createScreen(undefined) } as unknown as Chat;
  render(
    <ChatContext value={chat}>
      <PreviewForm onClose={() => {}} pictures={[new File(["p"], "p.jpg", { type: "image/jpeg" })]} />
    </ChatContext>,
  );
  fireEvent.change(screen.getByLabelText("Caption"), { target: { value: "two" } });
  expect(screen.getByText("3 of 100")).toBeTruthy();
});
