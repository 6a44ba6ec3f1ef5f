/** What a hand does, as WebDriver and WebDriver BiDi both write it. */
const KEYS = { Enter: "\uE007", Escape: "\uE00C", Tab: "\uE004", ArrowUp: "\uE013", ArrowDown: "\uE015" };

export function clickAt({ x, y }) {
  return [
    {
      type: "pointer",
      id: "mouse",
      parameters: { pointerType: "mouse" },
      actions: [
        { type: "pointerMove", x: Math.round(x), y: Math.round(y) },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ],
    },
  ];
}

/** Signs, or names of keys. */
export function strokes(keys) {
  const actions = [...keys].flatMap((key) => {
    const value = KEYS[key] ?? key;
    return [
      { type: "keyDown", value },
      { type: "keyUp", value },
    ];
  });
  return [{ type: "key", id: "keyboard", actions }];
}
