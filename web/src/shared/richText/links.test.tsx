import { cleanup, render } from "@testing-library/react";
import { expect, test } from "vitest";
import { RichText } from "./RichText";
import { CASES } from "./testing/linkCases";
import LINKS from "./testing/links.json";
import { tokens } from "./tokens";

test("there are two hundred cases, most of them hostile, and no two are the same", () => {
  expect(CASES.length - LINKS.plain.length).toBeGreaterThanOrEqual(200);
  expect(new Set(CASES.map(([message]) => message)).size).toBe(CASES.length);
});

test.each(CASES)("%j is shown as %j", (message, shown, ...opened) => {
  const found = tokens(message);
  expect(found.map(({ kind, text }) => (kind === "link" ? `⟦${text}⟧` : text)).join("")).toBe(shown);
  expect(found.flatMap((token) => (token.kind === "link" ? [token.href] : []))).toEqual(opened);
});

test("a link shows the address it leads to, host first and in plain letters", () => {
  for (const token of CASES.flatMap(([message]) => tokens(message))) {
    if (token.kind === "text") continue;
    const { hostname } = new URL(token.href);
    expect(token.text.replace(/^https?:\/\//u, "").startsWith(hostname), token.text).toBe(true);
    expect(hostname).toMatch(/^[a-z0-9._[\]:-]+$/u);
    expect(token.text).not.toMatch(/[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{White_Space}]/u);
  }
});

test("no mark around a link changes its direction, and the other site gets no referrer", () => {
  for (const [message] of CASES) {
    const { container } = render(<RichText message={message} />);
    for (const link of container.querySelectorAll("a")) {
      expect([link.dir, link.target, link.rel]).toEqual(["ltr", "_blank", "noopener noreferrer nofollow"]);
      expect(link.className).toContain("link");
    }
    cleanup();
  }
});

test("markup is shown, not obeyed", () => {
  const message = "<img src=x onerror=alert(1)><b>loud</b>";
  const { container } = render(<RichText message={message} />);
  expect(container.textContent).toBe(message);
  expect(container.querySelector("img, b")).toBeNull();
});
