import { api } from "@/shared/api/api";
import { type Away, AwayDialog } from "@/shared/away/AwayDialog";
import { token } from "@/shared/session/session";
import { pushText } from "@/shared/text/pushText";

const bearer = () => ({ token: token() ?? "" });

/** What an account's owner is told of. */
const OF_ACCOUNT: Away = {
  kinds: pushText.kinds,
  load: () => api("get", "/api/push", bearer()),
  keep: (kinds, subscription) => api("put", "/api/push", { json: { ...subscription, kinds }, ...bearer() }),
  drop: (id) => api("delete", "/api/push/{id}", { params: { id }, ...bearer() }),
};

export function AwaySettings({ onClose }: { onClose: () => void }) {
  return <AwayDialog away={OF_ACCOUNT} onClose={onClose} />;
}
