import { type ComponentProps, useState } from "react";
import { appText } from "@/shared/text/appText";
import { IconButton } from "@/shared/ui/IconButton";
import { Field } from "./Field";

type Props = Omit<ComponentProps<typeof Field>, "action" | "type"> & {
  autoComplete: "current-password" | "new-password";
};

/** A password field whose text can be shown: people who can't see what they type choose short passwords. */
export function PasswordField(props: Props) {
  const [shown, setShown] = useState(false);
  const look = (
    <IconButton
      icon={shown ? "eyeOff" : "eye"}
      label={shown ? appText.form.hidePassword : appText.form.showPassword}
      onClick={() => setShown(!shown)}
    />
  );
  return (
    <Field
      {...props}
      action={look}
      autoCapitalize="none"
      spellCheck={false}
      type={shown ? "text" : "password"}
    />
  );
}
