import type { Schemas } from "@/shared/api/api";
import { privateKeyOf } from "@/shared/sealing/inboxKey";
import { openNote } from "@/shared/sealing/notes";
import { cachedAccount } from "@/shared/session/session";
import { sealedInboxText } from "@/shared/text/sealedInboxText";

type Block = Schemas["BlockItem"];

/** Blocks, each with the note that led to it, also if that was sealed. */
export async function openedBlocks(blocks: readonly Block[]): Promise<Block[]> {
  const key = await privateKeyOf(cachedAccount()?.user.username ?? "");
  const { block } = sealedInboxText.note;
  return Promise.all(
    blocks.map(async ({ sealed, ...rest }) => {
      if (sealed === undefined) return rest;
      const opened = key && (await openNote(key, sealed, rest.began));
      return { ...rest, began: opened?.m ?? block };
    }),
  );
}
