import { type ComponentProps, type ComponentType, lazy, Suspense } from "react";
import { PasswordField } from "./PasswordField";

/** It is loaded at the first character. Without it, the server still says what it refuses. */
const Strength = lazy<ComponentType<{ password: string; known: string[] }>>(() =>
  import("./Strength").then(
    ({ Strength }) => ({ default: Strength }),
    () => ({ default: () => null }),
  ),
);

type Props = Omit<ComponentProps<typeof PasswordField>, "autoComplete"> & {
  /** What others know of the user: it makes no password strong. */
  known?: string[];
};

/** A field for a new password, which says how strong that is. Screen readers hear it when the answer changes. */
export function NewPasswordField({ known = [], ...props }: Props) {
  return (
    <div>
      <PasswordField {...props} autoComplete="new-password" />
      <div aria-live="polite">
        <Suspense>{props.value !== "" && <Strength known={known} password={props.value} />}</Suspense>
      </div>
    </div>
  );
}
