import { useEffect, useEffectEvent, useState } from "react";
import { api, type Schemas } from "@/shared/api/api";
import { isRefusedWith } from "@/shared/api/client";
import { showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { tellFailure } from "@/shared/session/tellFailure";
import { dayOf } from "@/shared/text/noteDate";
import { signInsText } from "@/shared/text/signInsText";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import { Skeleton } from "@/shared/ui/Skeleton";
import styles from "./SignInsDialog.module.css";

type Session = Schemas["Session"];

/** Where the account is signed in. Each sign-in can be ended, and all but this one together. */
export function SignInsDialog({ onClose }: { onClose: () => void }) {
  const words = signInsText;
  const [all, setAll] = useState<Session[]>();

  const load = useEffectEvent(() => {
    api("get", "/api/sessions", { token: token() ?? "" }).then(
      ({ data }) => setAll(data.filter(({ open }) => open)),
      (failure: unknown) => {
        tellFailure(failure);
        onClose();
      },
    );
  });
  useEffect(() => load(), []);

  async function end(id: string) {
    try {
      await api("delete", "/api/session/{id}", { params: { id }, token: token() ?? "" });
    } catch (failure) {
      // One that has ended by itself is what was asked for.
      if (!isRefusedWith(failure, "nothing_here")) return tellFailure(failure);
    }
    setAll((before) => before?.filter((one) => one.id !== id));
    showNotice(words.ended);
  }

  async function endOthers() {
    try {
      await api("delete", "/api/sessions", { token: token() ?? "" });
      setAll((before) => before?.filter(({ current }) => current));
      showNotice(words.endedOthers);
    } catch (failure) {
      tellFailure(failure);
    }
  }

  return (
    <Dialog body={words.body} onClose={onClose} title={words.title} wide>
      {all === undefined && <Skeleton label={text.loading} row="m" />}
      <ul>
        {all?.map((one) => (
          <SignIn key={one.id} onEnd={() => void end(one.id)} session={one} />
        ))}
      </ul>
      {all && all.length > 1 && <Button onClick={() => void endOthers()}>{words.endOthers}</Button>}
    </Dialog>
  );
}

function SignIn({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const words = signInsText;
  const { browser, system, began, used, current, unknown } = session;
  const program = words.program(browser, system);
  const days = used === began ? words.since(dayOf(began)) : words.used(dayOf(began), dayOf(used));
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <p className={styles.program}>
          {program} {unknown && !current && <mark>{words.isNew}</mark>}
        </p>
        <p className={styles.days}>{days}</p>
      </div>
      {current ? (
        <p className={styles.here}>{words.here}</p>
      ) : (
        <Button aria-label={words.endOf(program)} onClick={onEnd} size="s">
          {words.end}
        </Button>
      )}
    </li>
  );
}
