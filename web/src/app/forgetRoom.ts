/** Takes everything of a room that has ended off the device. The code that knows all of it comes when there is one. */
export async function forgetRoom(id: string) {
  const { forget } = await import("@/features/chat/storage");
  await forget(id);
}
