import { deviceStorage } from "@/shared/storage";
import { keptPictures } from "./sending/keptPictures";
import { forgetRoom } from "./storage";

/** Takes everything of a room off the device: its emoji, who made it, what was written there, and the pictures. */
export async function forget(room: string) {
  forgetRoom(deviceStorage, room);
  await keptPictures(room).forget();
}
