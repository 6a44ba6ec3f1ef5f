import { generatePath } from "react-router-dom";
import { paths } from "./paths";

export function personalLink(username: string): string {
  return whole(generatePath(paths.user, { username }));
}

export function roomLink(roomId: string): string {
  return whole(generatePath(paths.room, { roomId }));
}

export function signUpLink(): string {
  return whole(paths.signup);
}

/** The device's own way to hand things on. Thinking better of it is no failure. */
export function handOn(link: ShareData): Promise<void> {
  return navigator.share(link).catch(() => {});
}

function whole(path: string): string {
  return window.location.origin + path;
}
