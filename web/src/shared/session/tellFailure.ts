import { isSignedOut } from "@/shared/api/client";
import { showError } from "@/shared/notices";
import { failureText } from "@/shared/text/failureText";
import { signInAgain } from "./signInAgain";

/** Says why a call of the account failed. Whoever was signed out elsewhere is led to the login. */
export function tellFailure(failure: unknown) {
  if (isSignedOut(failure)) signInAgain();
  else showError(failureText(failure));
}
