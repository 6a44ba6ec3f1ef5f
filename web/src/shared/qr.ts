import { encode } from "uqr";

/** The quiet zone around a code; four modules is what the standard wants. */
const QUIET = 4;

type Qr = { size: number; modules: boolean[][] };

export function qrOf(text: string): Qr {
  const { data, size } = encode(text, { ecc: "M", border: QUIET });
  return { size, modules: data };
}

export function qrPath({ modules }: Qr): string {
  return modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
}

export function qrSvg(code: Qr): string {
  const { size } = code;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${qrPath(code)}"/></svg>`;
}

/** Whole pixels for each module, as close to the wanted size as that allows. */
export function drawQr(code: Qr, wanted: number): HTMLCanvasElement {
  const scale = Math.max(1, Math.floor(wanted / code.size));
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = code.size * scale;
  const context = canvas.getContext("2d");
  if (!context) return canvas;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "#000";
  context.scale(scale, scale);
  context.fill(new Path2D(qrPath(code)));
  return canvas;
}
