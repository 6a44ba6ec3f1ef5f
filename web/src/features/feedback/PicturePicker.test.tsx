import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, test } from "vitest";
import { PicturePicker } from "./PicturePicker";

function Picker() {
  const [picture, setPicture] = useState<File>();
  return <PicturePicker onPicture={setPicture} picture={picture} />;
}

function choose(name: string, type: string) {
  const input = screen.getByLabelText(/Add a photo|Choose another/);
  fireEvent.change(input, { target: { files: [new File(["x"], name, { type })] } });
}

const shown = () => screen.queryByAltText("The photo you chose");

test("what was wrong with another file goes with the picture that is taken out", () => {
  render(<Picker />);
  choose("a.png", "image/png");
  choose("a.gif", "image/gif");
  expect(screen.getByRole("alert").textContent).toBe("Choose a JPEG, PNG or WebP photo.");
  fireEvent.click(screen.getByRole("button", { name: "Remove photo" }));
  expect(screen.queryByRole("alert")).toBeNull();
  expect(shown()).toBeNull();
});
