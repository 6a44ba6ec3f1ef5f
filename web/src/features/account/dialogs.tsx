import { useNavigate } from "react-router-dom";
import { api } from "@/shared/api/api";
import { leave } from "@/shared/away/leave";
import { idOf, present } from "@/shared/away/subscription";
import { paths } from "@/shared/contract/pages";
import { showNotice } from "@/shared/notices";
import { device } from "@/shared/session/device";
import { forgetPromisedDeletions } from "@/shared/session/inboxOnDevice";
import { forgetSession, token } from "@/shared/session/session";
import { signInAgain } from "@/shared/session/signInAgain";
import { appText } from "@/shared/text/appText";
import { FormDialog } from "@/shared/ui/form/Form";
import { NewPasswordField } from "@/shared/ui/form/NewPasswordField";
import { PasswordField } from "@/shared/ui/form/PasswordField";
import { useForm } from "@/shared/ui/form/useForm";
import { ConfirmDialog } from "@/shared/ui/overlay/ConfirmDialog";
import { checkPasswordChange, mayDelete, passwordChangeFieldOf } from "./validation";

type Props = { onClose: () => void };

export function RenewLinkDialog(props: Props) {
  const words = appText.settings.renewLink;
  return (
    <ConfirmDialog
      {...props}
      {...words}
      kind="hot"
      onConfirm={() => api("post", "/api/user/new-link", { token: token() ?? "" })}
      onDone={() => showNotice(words.done)}
      onSignedOut={signInAgain}
    />
  );
}

export function ChangePasswordDialog({ onClose }: Props) {
  const words = appText.settings.changePassword;
  const empty = { current: "", next: "", confirmation: "" };
  const { field, submission } = useForm(empty, checkPasswordChange, save, {
    fieldOf: passwordChangeFieldOf,
  });

  async function save({ current, next }: typeof empty) {
    // All other browsers hear nothing any more: whoever knew the old password may have one of them.
    const subscription = await present().catch(() => undefined);
    const push = subscription && (await idOf(subscription));
    const json = { old_password: current, new_password: next, ...(push && { push }) };
    const { device: given } = await api("post", "/api/user/change-password", { json, token: token() ?? "" });
    device.keep(given);
    showNotice(words.done);
    onClose();
  }

  return (
    <FormDialog kind="hot" onClose={onClose} submission={submission} words={words}>
      <PasswordField {...field("current")} autoComplete="current-password" label={words.current} />
      <NewPasswordField {...field("next")} label={words.next} />
      <PasswordField {...field("confirmation")} autoComplete="new-password" label={words.confirmation} />
    </FormDialog>
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
      // This device forgets the sign-in even if the call fails: whoever logs out must be logged out.
      onConfirm={async () => {
        await leave(token() ?? "").catch(() => {});
        await api("post", "/api/logout", { token: token() ?? "" }).catch(() => {});
      }}
      onDone={() => signOut(words.done)}
      title={words.title}
    />
  );
}

export function DeleteAccountDialog({ onClose }: Props) {
  const words = appText.settings.deleteAccount;
  const signOut = useSignOut();
  // The button is disabled until it may be deleted.
  const { field, submission } = useForm({ password: "" }, () => ({}), remove, {
    fieldOf: { wrong_password: "password" },
  });
  const password = field("password");

  async function remove({ password }: { password: string }) {
    await api("delete", "/api/user/delete", { json: { password }, token: token() ?? "" });
    device.forget();
    forgetPromisedDeletions();
    signOut(words.done);
  }

  return (
    <FormDialog
      disabled={!mayDelete(password.value)}
      kind="danger"
      onClose={onClose}
      submission={submission}
      words={words}
    >
      <PasswordField {...password} autoComplete="current-password" label={words.password} />
    </FormDialog>
  );
}

function useSignOut() {
  const navigate = useNavigate();
  return (why: string) => {
    forgetSession();
    showNotice(why);
    navigate(paths.login, { replace: true });
  };
}
