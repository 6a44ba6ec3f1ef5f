import { paths } from "./contract/pages";

/** The host in the site's address. In pages that are drawn when the app is built the server puts it in. */
export const siteHost = () => (import.meta.env.SSR ? "{host}" : window.location.host);

const whole = (path: string) => window.location.origin + path;

export const personalPath = (username: string) => `/${username}`;
export const personalLink = (username: string) => whole(personalPath(username));
export const answerPath = (username: string, id: string) =>
  paths.answer.replace(":username", username).replace(":id", id);
export const answerLink = (username: string, id: string) => whole(answerPath(username, id));
/** Of a sealed group the key stands behind the "#", which no browser sends. */
export const roomPath = (roomId: string, key = "") =>
  paths.room.replace(":roomId", roomId) + (key && `#${key}`);
export const roomLink = (roomId: string, key?: string) => whole(roomPath(roomId, key));
export const conversationLink = (id: string, secret: string) => `${whole(conversationPath(id))}#${secret}`;
export const signUpLink = () => whole(paths.signup);

/** Opens the device's own dialog for sharing. Closing that dialog is no failure. */
export function shareLink(link: ShareData): Promise<void> {
  return navigator.share(link).catch(() => {});
}

const ROOM_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The path of a conversation as its owner opens it: without a key. */
export const conversationPath = (id: string) => paths.conversation.replace(":id", id);

/** Whether this can be a group's id. */
export const isRoomId = (id: string) => ROOM_ID.test(id);

/** The group that an address of this site leads to. */
export function roomAt(path: string): string | undefined {
  const id = path.split("/")[2] ?? "";
  const isRoom = isRoomId(id) && path.replace(/\/$/, "").toLowerCase() === roomPath(id).toLowerCase();
  return isRoom ? id : undefined;
}
