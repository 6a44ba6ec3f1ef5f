import { fireEvent, render, screen } from "@testing-library/react";
import { createPortal } from "react-dom";
import { expect, test, vi } from "vitest";
import { swipeDirection, useSwipe } from "./swipe";

const start = { x: 200, y: 300 };

test.each([
  [{ x: 100, y: 310 }, 1],
  [{ x: 300, y: 290 }, -1],
  [{ x: 160, y: 300 }, 0],
  [{ x: 100, y: 400 }, 0],
])("from the middle to %j is %d", (to, direction) => {
  expect(swipeDirection(start, to)).toBe(direction);
});

test("a swipe on a dialog over the pages doesn't change the page", () => {
  const onPage = vi.fn();
  function Pages() {
    return (
      <div {...useSwipe(0, 3, onPage)}>
        <p>page</p>
        {createPortal(<p>dialog</p>, document.body)}
      </div>
    );
  }
  render(<Pages />);
  for (const [words, turned] of [
    ["dialog", []],
    ["page", [[1]]],
    ["dialog", [[1]]],
  ] as const) {
    const on = screen.getByText(words);
    fireEvent.touchStart(on, { touches: [{ clientX: 300, clientY: 300 }] });
    fireEvent.touchEnd(on, { changedTouches: [{ clientX: 100, clientY: 300 }] });
    expect(onPage.mock.calls).toEqual(turned);
  }
});
