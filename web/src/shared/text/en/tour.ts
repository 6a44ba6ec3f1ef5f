import * as limit from "@/shared/contract/limits";
import { siteName } from "@/shared/siteName";
import { Seats, seats } from "./numbers";

/** The words of the tour. */
export const tour = {
  title: "Get started",
  tabsLabel: `What ${siteName} does`,
  back: "Back",
  next: "Next",
  slides: [
    {
      tab: "Connect",
      heading: "One link is all it takes",
      body: "Sign up with a username and share the link that ends in it. Friends, classmates, an audience: anyone who opens it can write to you.",
    },
    {
      tab: "Inbox",
      heading: "Notes without a sender",
      body: "They show up live. New ones stay marked until you’ve read them, and no one can look up who sent one, not even the server.",
    },
    {
      tab: "Capture",
      heading: "Turn it into an image",
      body: "Turn a note into a story or a square, pick a style, and post your reply under it.",
    },
    {
      tab: "Groups",
      heading: `${Seats} seats, ${seats} emoji`,
      body: `Create a group and share its link. Everyone in it is an emoji, and after ${limit.ROOM_SHORT_LIFETIME_HOURS} or ${limit.ROOM_LIFETIME_HOURS} hours it’s gone, messages and all.`,
    },
    {
      tab: "Privacy",
      heading: "Nothing leads back",
      body: "No sender stored with a note, no metadata in photos, no trackers, nothing loaded from other sites.",
    },
  ],
};
