import type { Plugin } from "vite";

const COPY = "?early";

/** What runs in a room before anything else is there, and what of it the room itself needs later. */
const OWN =
  /src\/features\/chat\/(early\/|(linesOf|notices)\.ts|ui\/(listRows|moment|ratio)\.ts|ui\/(Bubble|BubblePicture|ChatScreen|Composer|Countdown|DropZone|Log|MembersToggle|MessageRow|RoomHeader|Row)\.module\.css)/;

/** All of it, with the copies. */
export const EARLY_PIECE = new RegExp(`\\${COPY}$|${OWN.source}`);

/**
 * Makes that piece stand alone. What it shares with every page is in pieces far larger than itself, which would have to
 * come first; so it gets copies, of which only what it uses is kept.
 */
export function earlyPiece(): Plugin {
  return {
    name: "early-piece",
    apply: "build",
    enforce: "pre",
    async resolveId(source, importer, options) {
      if (!importer || !EARLY_PIECE.test(importer)) return null;
      const found = await this.resolve(source, importer.replace(COPY, ""), { ...options, skipSelf: true });
      if (!found || OWN.test(found.id)) return found;
      return { ...found, id: found.id + COPY };
    },
  };
}
