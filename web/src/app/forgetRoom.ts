/** Removes everything that the device keeps of a room that has ended. The code for it is loaded only then. */
export async function forgetRoom(id: string) {
  const { forget } = await import("@/features/chat/storage");
  await forget(id);
}
