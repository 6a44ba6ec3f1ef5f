import { useState } from "react";
import { api } from "@/shared/api/api";
import { AwayDialog } from "@/shared/away/AwayDialog";
import type { Away } from "@/shared/away/away";
import { showError } from "@/shared/notices";
import { failureText } from "@/shared/text/failureText";
import { pushText } from "@/shared/text/pushText";
import { seatHeaders } from "../../connection/ask";

/** Tells a member that the group is talking while no page is open. It belongs to the seat. */
export function AwayOfGroup({ id, onClose }: { id: string; onClose: () => void }) {
  const [away] = useState(() => awayOf(id));
  return <AwayDialog away={away} onClose={onClose} />;
}

function awayOf(id: string): Away {
  const given = { params: { id }, seat: seatHeaders() };
  return {
    kinds: { group: pushText.talking },
    load: () => api("get", "/api/room/{id}/push", given),
    keep: (_, json) => api("put", "/api/room/{id}/push", { json, ...given }),
    drop: (subscription) => api("delete", "/api/room/{id}/push", { query: { subscription }, ...given }),
    failed: (failure) => showError(failureText(failure)),
  };
}
