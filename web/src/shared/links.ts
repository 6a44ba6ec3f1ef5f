import { generatePath } from "react-router-dom";
import { paths } from "./paths";

/** Where anybody can write to this person. */
export function personalLink(username: string): string {
  return whole(generatePath(paths.user, { username }));
}

/** What to hand to whom one wants in the group. */
export function roomLink(roomId: string): string {
  return whole(generatePath(paths.room, { roomId }));
}

/** For users who have no link of their own yet. */
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
