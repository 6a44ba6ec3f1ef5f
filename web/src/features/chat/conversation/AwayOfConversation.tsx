import { useState } from "react";
import { AwayDialog } from "@/shared/away/AwayDialog";
import { ofConversation } from "@/shared/away/whose";

type Props = {
  id: string;
  secret: string;
  onBegin: () => void;
  onClose: () => void;
};

/** Tells the one who wrote the note of an answer while no page is open. */
export function AwayOfConversation({ id, secret, onBegin, onClose }: Props) {
  const [away] = useState(() => ofConversation(id, secret, onBegin));
  return <AwayDialog away={away} onClose={onClose} />;
}
