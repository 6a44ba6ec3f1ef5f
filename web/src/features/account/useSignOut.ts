import { useNavigate } from "react-router-dom";
import { tell } from "@/shared/notices";
import { paths } from "@/shared/paths";
import { forgetSession } from "@/shared/session/session";

/** Ends the session on this device and says why. */
export function useSignOut() {
  const navigate = useNavigate();
  return (said: string) => {
    forgetSession();
    tell(said);
    navigate(paths.login, { replace: true });
  };
}
