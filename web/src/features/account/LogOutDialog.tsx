import { api } from "@/shared/api/api";
import { token } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { useSignOut } from "./useSignOut";

type Props = { open: boolean; onOpenChange: (open: boolean) => void };

export function LogOutDialog({ open, onOpenChange }: Props) {
  const words = appText.settings.logOut;
  const signOut = useSignOut();

  async function logOut() {
    // Whatever the server says, this device forgets: nobody who logs out may stay logged in.
    await api("post", "/api/logout", { token: token() ?? "" }).catch(() => {});
    signOut(words.done);
  }

  return (
    <ConfirmDialog
      action={words.submit}
      kind="hot"
      onConfirm={logOut}
      onOpenChange={onOpenChange}
      open={open}
      title={words.title}
    />
  );
}
