import { useEffect, useEffectEvent, useState } from "react";
import { api, type Schemas } from "@/shared/api/api";
import { isSignedOut } from "@/shared/api/client";
import { showError, showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { useSignInAgain } from "@/shared/session/useSignInAgain";
import { failureText } from "@/shared/text/failureText";
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
  const signInAgain = useSignInAgain();

  const load = useEffectEvent(async () => {
    try {
      setBlocks((await api("get", "/api/blocks", { token: token() ?? "" })).data);
    } catch (failure) {
      failed(failure);
      onClose();
    }
  });
  useEffect(() => void load(), []);

  function failed(failure: unknown) {
    if (isSignedOut(failure)) signInAgain();
    else showError(failureText(failure));
  }

  async function unblock(id: string) {
    try {
      await api("delete", "/api/block/{id}", { params: { id }, token: token() ?? "" });
      setBlocks((before) => before?.filter((block) => block.id !== id));
      showNotice(words.undone);
    } catch (failure) {
      failed(failure);
    }
  }

  return (
    <Dialog body={words.body} onClose={onClose} title={words.title} wide>
      {blocks === undefined && <Skeleton label={text.loading} row="m" />}
      {blocks?.length === 0 && <p>{words.empty}</p>}
      <ul>
        {blocks?.map(({ id, date, began }) => {
          const when = noteDate(date);
          const about = began || words.gone;
          return (
            <NoteRow key={id} message={about} when={when}>
              <Button
                aria-label={words.of(about, `${when.date}, ${when.time}`)}
                onClick={() => void unblock(id)}
                size="s"
              >
                {words.undo}
              </Button>
            </NoteRow>
          );
        })}
      </ul>
    </Dialog>
  );
}
