import { useConversations } from "../ConversationsFeed";
import { useInbox } from "../inboxStore";

/** Loads what opens notes, once something in the inbox is sealed. Gives what ends it. */
export function openWhatIsSealed(username: string): () => void {
  let isOver = false;
  let stop: (() => void) | undefined;
  let isLoading = false;

  async function load() {
    const { Opener } = await import("./Opener");
    if (isOver) return;
    const opener = new Opener(username);
    stop = () => opener.stop();
  }
  const look = () => {
    const begun = useConversations.getState().conversations.map(({ note }) => note);
    const all = [...useInbox.getState().notes, ...begun];
    if (!all.some(({ sealed }) => sealed !== undefined)) return;
    // Without a network its code may not be there. The next change tries again.
    if (isLoading) return;
    isLoading = true;
    void load().catch(() => {
      isLoading = false;
    });
  };
  const unsubscribe = [useInbox.subscribe(look), useConversations.subscribe(look)];
  look();
  return () => {
    isOver = true;
    for (const end of unsubscribe) end();
    stop?.();
  };
}
