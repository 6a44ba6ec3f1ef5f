import { useCallback } from "react";
import { useNavigate } from "react-router-dom";
import { ApiFailure } from "@/shared/api/client";
import { paths } from "@/shared/contract/pages";
import { showError } from "@/shared/notices";
import { forgetAccount, forgetSession } from "@/shared/session/session";
import { appText } from "@/shared/text/appText";

/** Leads to the login when a call was refused because nobody is signed in any more, and back from there. */
export function useSignInAgain() {
  const navigate = useNavigate();
  return useCallback(
    (failure?: unknown) => {
      // A server in trouble is no reason to throw the token away.
      if (!(failure instanceof ApiFailure) || failure.status === 401) forgetSession();
      else forgetAccount();
      showError(appText.failure.signInAgain);
      const { pathname, search } = window.location;
      navigate(paths.login, { replace: true, state: { from: pathname + search } });
    },
    [navigate],
  );
}
