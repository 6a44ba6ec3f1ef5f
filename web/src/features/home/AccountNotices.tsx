import { lazy, Suspense, useEffect, useState } from "react";
import { Link } from "react-router-dom";
import { api, type Schemas } from "@/shared/api/api";
import { paths } from "@/shared/contract/pages";
import { token } from "@/shared/session/session";
import { withoutOverrides } from "@/shared/text/directions";
import { inboxText } from "@/shared/text/inboxText";
import { noteDate } from "@/shared/text/noteDate";
import styles from "./AccountNotices.module.css";

type Suspension = NonNullable<Schemas["User"]["suspended"]>;

const SignInNotice = lazy(async () => ({ default: (await import("./SignInNotice")).SignInNotice }));

/** What an owner must know of their account. What this device keeps of the account can be hours old. */
export function AccountNotices() {
  const [user, setUser] = useState<Schemas["User"]>();

  useEffect(() => {
    // Without an answer nothing is known, and nothing is said.
    api("get", "/api/dashboard", { token: token() ?? "" }).then(
      ({ user }) => setUser(user),
      () => {},
    );
  }, []);

  return (
    <>
      {user?.suspended && <SuspensionNotice suspended={user.suspended} />}
      <Suspense>{user?.unknown_sign_ins && <SignInNotice />}</Suspense>
    </>
  );
}

/** Says why the account is suspended, and until when. */
function SuspensionNotice({ suspended }: { suspended: Suspension }) {
  const words = inboxText.suspended;
  const { date, time } = noteDate(suspended.until);
  return (
    <div className={styles.place}>
      <section aria-labelledby="suspended" className={styles.notice}>
        <h2 id="suspended">{words.heading}</h2>
        <p>
          {words.until(`${date}, ${time}`)} {words.why(withoutOverrides(suspended.reason))}
        </p>
        <p>{words.what}</p>
        <Link className="target" to={paths.terms}>
          {words.terms}
        </Link>
      </section>
    </div>
  );
}
