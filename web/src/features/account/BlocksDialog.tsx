import { useEffect, useEffectEvent, useState } from "react";
import { flushSync } from "react-dom";
import { api, type Schemas } from "@/shared/api/api";
import { INBOX_PAGE } from "@/shared/contract/limits";
import { showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { tellFailure } from "@/shared/session/tellFailure";
import { noteDate } from "@/shared/text/noteDate";
import { shieldText } from "@/shared/text/shieldText";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { NoteRow } from "@/shared/ui/NoteRow";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import { Skeleton } from "@/shared/ui/Skeleton";

/** Whom the owner blocks. A block says which message led to it, and nothing else. */
export function BlocksDialog({ onClose }: { onClose: () => void }) {
  const words = shieldText.blocks;
  const [blocks, setBlocks] = useState<Schemas["BlockItem"][]>();
  const [hasOlder, setHasOlder] = useState(false);

  async function load(before?: string) {
    const query = { limit: INBOX_PAGE, ...(before !== undefined && { before }) };
    const { data } = await api("get", "/api/blocks", { query, token: token() ?? "" });
    const isSealed = data.some(({ sealed }) => sealed !== undefined);
    const shown = isSealed ? await (await import("./seal/openedBlocks")).openedBlocks(data) : data;
    flushSync(() => {
      setBlocks((known = []) => [...known, ...shown]);
      setHasOlder(data.length === INBOX_PAGE);
    });
    return data;
  }

  const loadFirst = useEffectEvent(() => {
    load().catch((failure: unknown) => {
      tellFailure(failure);
      onClose();
    });
  });
  useEffect(() => loadFirst(), []);

  async function loadOlder() {
    try {
      const [first] = await load(blocks?.at(-1)?.id);
      // The button may be gone, and the focus goes on with what it has brought.
      if (first) document.getElementById(first.id)?.focus();
    } catch (failure) {
      tellFailure(failure);
    }
  }

  async function unblock(id: string) {
    try {
      await api("delete", "/api/block/{id}", { params: { id }, token: token() ?? "" });
      setBlocks((before) => before?.filter((block) => block.id !== id));
      showNotice(words.undone);
    } catch (failure) {
      tellFailure(failure);
    }
  }

  return (
    <Dialog body={words.body} onClose={onClose} title={words.title} wide>
      {blocks === undefined && <Skeleton label={text.loading} row="m" />}
      {blocks?.length === 0 && !hasOlder && <p>{words.empty}</p>}
      <ul>
        {blocks?.map(({ id, date, began }) => {
          const when = noteDate(date);
          const about = began || words.gone;
          return (
            <NoteRow key={id} message={about} when={when}>
              <Button
                aria-label={words.of(about, `${when.date}, ${when.time}`)}
                id={id}
                onClick={() => void unblock(id)}
                size="s"
              >
                {words.undo}
              </Button>
            </NoteRow>
          );
        })}
      </ul>
      {hasOlder && <Button onClick={() => void loadOlder()}>{shieldText.held.older}</Button>}
    </Dialog>
  );
}
