/** A picture's size, its pixels and how many colours it has, worked out by the browser that is open anyway. */
export async function imageOf(page, bytes) {
  return page.evaluate(async (data) => {
    const binary = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([binary], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data: pixels } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const colours = new Set();
    for (let at = 0; at < pixels.length; at += 4) {
      colours.add((pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2]);
    }
    const corner = Array.from(pixels.slice(0, 4 * bitmap.width * 8));
    return { width: bitmap.width, height: bitmap.height, colours: colours.size, top: corner };
  }, bytes.toString("base64"));
}

/** The colour of a pixel of the first eight rows. */
export function colourAt({ width, top }, x, y) {
  const at = 4 * (y * width + x);
  return top.slice(at, at + 3);
}
