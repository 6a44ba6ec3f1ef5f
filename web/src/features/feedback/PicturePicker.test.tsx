import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { PicturePicker } from "./PicturePicker";

afterEach(cleanup);

function Picker() {
  const [picture, setPicture] = useState<File>();
  return <PicturePicker onPicture={setPicture} picture={picture} />;
}

function choose(name: string, type: string) {
  const input = screen.getByLabelText(/Add a picture|Choose another/);
  fireEvent.change(input, { target: { files: [new File(["x"], name, { type })] } });
}

const shown = () => screen.queryByAltText("The picture you chose");

test("what was wrong with another file goes with the picture that is taken out", () => {
  render(<Picker />);
  choose("a.png", "image/png");
  choose("a.gif", "image/gif");
  expect(screen.getByRole("alert").textContent).toBe("Choose a JPEG, PNG or WebP picture.");
  fireEvent.click(screen.getByRole("button", { name: "Remove picture" }));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(shown()).toBeNull();
});
