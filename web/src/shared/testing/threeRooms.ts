export const ALIVE = "6f1c1c58-97b1-4a3d-9a39-0f6b4a3f5b11";
export const GONE = "0a7be1f2-2c64-4f0e-8d0f-5a7b1f9be222";
export const UNREACHABLE = "b3c2f7ac-11aa-4c7e-b7a1-3f0d2e4c5333";

/** A device that remembers three groups, among other things. */
export function leaveThreeRooms() {
  localStorage.setItem(ALIVE, "🦊");
  localStorage.setItem(GONE, "🐙");
  localStorage.setItem(UNREACHABLE, "🌵");
  localStorage.setItem("language", "en");
  localStorage.setItem("annon.sound", "off");
}
