import { useNavigate } from "react-router-dom";
import { api } from "@/shared/api/api";
import { tell } from "@/shared/notices";
import { paths } from "@/shared/paths";
import { forgetSession, token } from "@/shared/session/session";
import { useSignInAgain } from "@/shared/session/useSignInAgain";
import { appText } from "@/shared/text/appText";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";

type Props = { onClose: () => void };

export function RenewLinkDialog(props: Props) {
  const words = appText.settings.renewLink;
  const signInAgain = useSignInAgain();
  return (
    <ConfirmDialog
      {...props}
      {...words}
      kind="hot"
      onConfirm={() => api("post", "/api/user/new-link", { token: token() ?? "" })}
      onDone={() => tell(words.done)}
      onSignedOut={signInAgain}
    />
  );
}

export function LogOutDialog({ onClose }: Props) {
  const words = appText.settings.logOut;
  const signOut = useSignOut();
  return (
    <ConfirmDialog
      action={words.name}
      kind="hot"
      onClose={onClose}
      // Whatever the server says, this device forgets: nobody who logs out may stay logged in.
      onConfirm={() => api("post", "/api/logout", { token: token() ?? "" }).catch(() => {})}
      onDone={() => signOut(words.done)}
      title={words.title}
    />
  );
}

export function useSignOut() {
  const navigate = useNavigate();
  return (why: string) => {
    forgetSession();
    tell(why);
    navigate(paths.login, { replace: true });
  };
}
