/** The words of the work that a browser does for a note to an inbox under its shield. */
export const work = {
  why: "This inbox is protected from spam. Your browser has to do a sum before your note is sent. It tells nothing about you.",
  about: (time: string) => `Usually takes about ${time} on this device.`,
  progress: "How likely it is to be done by now",
  stop: "Stop",
  stopped: "Stopped. Your note wasn’t sent.",
  failed: "Your browser couldn’t do the sum that protects this inbox from spam.",
};
