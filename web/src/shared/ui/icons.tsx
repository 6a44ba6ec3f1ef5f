/** Line icons, as thick as the outlines of the stickers. The control around an icon has the name. */
const drawings = {
  close: "M6 6l12 12M18 6L6 18",
  gear: "M10 4.9 10.3 2.1 13.7 2.1 14 4.9 15.6 5.6 17.8 3.8 20.2 6.2 18.4 8.4 19.1 10 21.9 10.3 21.9 13.7 19.1 14 18.4 15.6 20.2 17.8 17.8 20.2 15.6 18.4 14 19.1 13.7 21.9 10.3 21.9 10 19.1 8.4 18.4 6.2 20.2 3.8 17.8 5.6 15.6 4.9 14 2.1 13.7 2.1 10.3 4.9 10 5.6 8.4 3.8 6.2 6.2 3.8 8.4 5.6zM12 9a3 3 0 100 6 3 3 0 000-6z",
  copy: "M9 9h11v11H9zM15 9V4H4v11h5",
  share: "M12 15V3M8 7l4-4 4 4M5 12v8h14v-8",
  camera: "M3 8h4l2-3h6l2 3h4v12H3zM12 10.5a3.5 3.5 0 100 7 3.5 3.5 0 000-7z",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  down: "M5 9l7 7 7-7",
  back: "M19 12H5M11 6l-6 6 6 6",
  next: "M5 12h14M13 6l6 6-6 6",
  qr: "M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 14h2v6h-6v-2",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5z",
  eyeOff:
    "M4 4l16 16M9 6c1-.3 2-.5 3-.5 6 0 9.5 6.5 9.5 6.5s-1 1.8-2.8 3.5M6 8c-2.3 1.8-3.5 4-3.5 4s3.5 6.5 9.5 6.5c1.5 0 2.8-.4 4-1",
  picture: "M3 5h18v14H3zM3 16l5-5 5 5 3-3 5 5M15.5 8.5h.01",
  wand: "M4 20L14 10M17 3v4M15 5h4M20 12v4M18 14h4M8 4v4M6 6h4",
  download: "M12 3v12M8 11l4 4 4-4M5 20h14",
  send: "M4 12l16-8-5 16-4-6.5zM11 13.5l9-9.5",
  smile: "M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17zM8 14q4 4.5 8 0M9 9.5h.01M15 9.5h.01",
  reply: "M10 6L4 12l6 6M4.5 12H14c4 0 6 2.5 6 7",
  more: "M5 11.2a.8.8 0 100 1.6.8.8 0 000-1.6zM12 11.2a.8.8 0 100 1.6.8.8 0 000-1.6zM19 11.2a.8.8 0 100 1.6.8.8 0 000-1.6z",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3",
  star: "M12 4l2 6h6l-5 4 2 6-5-4-5 4 2-6-5-4h6z",
  search: "M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.5L21 21",
  check: "M5 12.5l4.5 4.5L19 7.5",
  clock: "M12 3.5a8.5 8.5 0 100 17 8.5 8.5 0 000-17zM12 7.5V12l3 2",
} as const;

export type IconName = keyof typeof drawings;

/** `size` is in pixels at the usual text size. With larger text icons are larger. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  const edge = `${size / 16}rem`;
  return (
    <svg
      aria-hidden="true"
      fill="none"
      height={edge}
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="2.25"
      viewBox="0 0 24 24"
      width={edge}
    >
      <path d={drawings[name]} />
    </svg>
  );
}
