/** What runs in the page: each gives what it `found`, or says `why` not. It has only the library `Find`. */
export function inPage(Find) {
  for (const [event, say] of [
    // Without an error it only tells that a size is measured in the next frame.
    ["error", ({ error }) => error && String(error)],
    ["unhandledrejection", ({ reason }) => String(reason)],
    ["securitypolicyviolation", ({ violatedDirective, blockedURI }) => `${violatedDirective}: ${blockedURI}`],
  ]) {
    // Kept from page to page.
    addEventListener(event, (told) => {
      const words = say(told);
      if (words) sessionStorage.complaints = `${sessionStorage.complaints ?? ""}${words}\n`;
    });
  }

  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

  /** Those that can be used: behind an open dialog nothing can. */
  function all(role, name) {
    const top = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body;
    const pattern = name?.source === undefined ? name : new RegExp(name.source);
    // A field for a password has no role.
    const found =
      role === "field"
        ? Find.queryAllByLabelText(top, pattern, { selector: "input, textarea" })
        : Find.queryAllByRole(top, role, { name: pattern });
    return found.filter((element) => !element.closest("[inert]"));
  }

  /** Links that lead to the same place are as good as one. */
  function only(role, name) {
    const elements = all(role, name);
    const [element] = elements;
    const alike = elements.every((one) => one === element || (one.href && one.href === element.href));
    return element && alike ? { element } : { why: `${elements.length} elements` };
  }

  return {
    see(role, name) {
      const { element, why } = only(role, name);
      return element
        ? { found: { words: element.innerText, value: element.value, href: element.href } }
        : { why };
    },

    read: (words) =>
      document.body.innerText.includes(words)
        ? { found: true }
        : { why: document.body.innerText.slice(-300) },

    /** A message of a group that says this, and no second one. */
    line(words) {
      const lines = all("article").filter((line) => line.innerText.includes(words));
      return lines.length === 1 ? { found: true } : { why: `${lines.length} lines` };
    },

    /** Where to press: on an element that rests and that nothing lies on. */
    async place(role, name) {
      const { element, why } = only(role, name);
      if (!element) return { why };
      element.scrollIntoView({ block: "nearest", behavior: "instant" });
      const before = element.getBoundingClientRect();
      await frame();
      await frame();
      const { left, top, width, height } = element.getBoundingClientRect();
      if (left !== before.left || top !== before.top) return { why: "it moves" };
      const [x, y] = [left + width / 2, top + height / 2];
      const hit = document.elementFromPoint(x, y);
      if (!hit || !element.contains(hit)) return { why: `${hit?.outerHTML.slice(0, 200)} lies on it` };
      return { found: { x, y } };
    },

    /** Pictures that are drawn in their full size. */
    picture(name) {
      const { element, why } = only("button", name);
      if (!element) return { why };
      const widths = [...element.querySelectorAll("img")].map((image) => image.naturalWidth);
      return Math.max(0, ...widths) > 500 ? { found: true } : { why: `images of ${widths} px` };
    },
  };
}
