import { api } from "@/shared/api/api";
import { isSignedOut } from "@/shared/api/client";
import { complain, tell } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";
import { failureText } from "@/shared/text/failureText";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";

type Props = { open: boolean; onOpenChange: (open: boolean) => void; onSignedOut: () => void };

export function RenewLinkDialog({ open, onOpenChange, onSignedOut }: Props) {
  const words = appText.settings.renewLink;

  async function renew() {
    try {
      await api("post", "/api/user/new-link", { token: token() ?? "" });
      tell(words.done);
    } catch (failure) {
      if (isSignedOut(failure)) onSignedOut();
      else complain(failureText(failure));
    }
    onOpenChange(false);
  }

  return (
    <ConfirmDialog
      action={words.submit}
      description={words.body}
      kind="hot"
      onConfirm={renew}
      onOpenChange={onOpenChange}
      open={open}
      title={words.title}
    />
  );
}
