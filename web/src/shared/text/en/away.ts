/** The words about a group that one isn't in, and about what couldn't be sent any more. */
export const away = {
  roomDeleted: {
    title: "Group deleted",
    text: "The creator has deleted this group",
    body: "Its messages and photos are gone, for everyone.",
  },
  by: (creator: string) => `by ${creator}`,
  waits: "This page tells you when a seat is free.",
  free: "A seat is free.",
  comeIn: "Take the seat",
  unsent: { heading: "You were writing", copy: "Copy", copied: "Copied" },
};
