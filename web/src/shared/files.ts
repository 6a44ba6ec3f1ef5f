export function saveFile(file: File) {
  const address = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = address;
  link.download = file.name;
  link.click();
  // Later, because the download may not have begun yet.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export async function asPng(canvas: HTMLCanvasElement, name: string): Promise<File> {
  return new File([await canvasBytes(canvas, "image/png")], `${name}.png`, { type: "image/png" });
}

export function canvasBytes(canvas: HTMLCanvasElement, type: string, quality?: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const done = (blob: Blob | null) =>
      blob ? resolve(blob) : reject(new Error("the picture wasn't drawn"));
    canvas.toBlob(done, type, quality);
  });
}
