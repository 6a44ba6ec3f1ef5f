import { AwayDialog } from "@/shared/away/AwayDialog";
import { OF_ACCOUNT } from "@/shared/away/whose";
import { DigestSwitch } from "./DigestSwitch";

export function AwaySettings({ onClose }: { onClose: () => void }) {
  return (
    <AwayDialog away={OF_ACCOUNT} onClose={onClose}>
      <DigestSwitch />
    </AwayDialog>
  );
}
