/** What to hand to whom one wants in the group. */
export function inviteLink(id: string): string {
  return `${window.location.origin}/room/${id}`;
}

/** The device's own way to hand things on. Thinking better of it is no failure. */
export function shareInvite(title: string, url: string): Promise<void> {
  return navigator.share({ title, url }).catch(() => {});
}
