import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { RichText } from "./RichText";

afterEach(cleanup);

test("markup is shown, not obeyed", () => {
  const message = "<img src=x onerror=alert(1)><b>loud</b>";
  const { container } = render(<RichText message={message} />);
  expect(container.textContent).toBe(message);
  expect(container.querySelector("img, b")).toBeNull();
});

test("a link opens in a new tab and tells the other site nothing", () => {
  render(<RichText message="see https://a.example/b." />);
  const link = screen.getByRole("link", { name: "https://a.example/b" });
  expect(link.getAttribute("href")).toBe("https://a.example/b");
  expect(link.getAttribute("target")).toBe("_blank");
  expect(link.getAttribute("rel")).toBe("noopener noreferrer nofollow");
});

test.each([
  ["🦊", "single"],
  ["🦊🐙", "some"],
  ["🦊 hi", "none"],
])("%s has the emoji style %s", (message, style) => {
  const { container } = render(<RichText message={message} />);
  expect(container.firstElementChild?.getAttribute("data-emoji")).toBe(style);
});
