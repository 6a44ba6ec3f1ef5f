import { useCallback } from "react";
import { useNavigate } from "react-router-dom";
import { ApiFailure } from "@/shared/api/client";
import { paths } from "@/shared/contract/pages";
import { showError } from "@/shared/notices";
import { forgetAccount, forgetSession } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";

/** Leads to the login if a call was refused because the sign-in has ended, and back from there. */
export function useSignInAgain() {
  const navigate = useNavigate();
  return useCallback(
    (failure?: unknown) => {
      // After an error of the server the token is still good.
      if (!(failure instanceof ApiFailure) || failure.status === 401) forgetSession();
      else forgetAccount();
      showError(appText.failure.signInAgain);
      const { pathname, search } = window.location;
      navigate(paths.login, { replace: true, state: { from: pathname + search } });
    },
    [navigate],
  );
}
