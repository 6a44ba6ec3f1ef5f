import { useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { api, type Schemas } from "@/shared/api/api";
import { isRefusedWith } from "@/shared/api/client";
import { paths } from "@/shared/contract/pages";
import { showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { tellFailure } from "@/shared/session/tellFailure";
import { dayOf } from "@/shared/text/noteDate";
import { signInsText } from "@/shared/text/signInsText";
import { Button } from "@/shared/ui/Button";
import styles from "./AccountNotices.module.css";

type Session = Schemas["Session"];

/** Asks about sign-ins from browsers that the account didn't know, one after the other. */
export function SignInNotice() {
  const words = signInsText;
  const navigate = useNavigate();
  const [unknown, setUnknown] = useState<Session[]>([]);

  useEffect(() => {
    // Without an answer nothing is asked; the next page asks.
    api("get", "/api/sessions", { token: token() ?? "" }).then(
      ({ data }) => setUnknown(data.filter((one) => one.unknown && !one.current)),
      () => {},
    );
  }, []);

  const [first] = unknown;
  if (!first) return null;
  const { id, open } = first;

  async function answer(call: () => Promise<unknown>) {
    try {
      await call();
    } catch (failure) {
      if (!isRefusedWith(failure, "nothing_here")) {
        tellFailure(failure);
        return false;
      }
    }
    setUnknown((before) => before.filter((one) => one.id !== id));
    return true;
  }

  const isMine = () =>
    answer(() => api("post", "/api/session/{id}/known", { params: { id }, token: token() ?? "" }));

  async function isNotMine() {
    const end = () => api("delete", "/api/session/{id}", { params: { id }, token: token() ?? "" });
    if (!(await answer(open ? end : async () => {}))) return;
    showNotice(words.ended, words.asks.noMore);
    navigate(paths.settings);
  }

  return (
    <div className={styles.place}>
      <section aria-labelledby="unknown-sign-in" className={styles.notice}>
        <h2 id="unknown-sign-in">{words.asks.heading}</h2>
        <p>{words.asks.body(words.program(first.browser, first.system), dayOf(first.began))}</p>
        <div className="row">
          <Button onClick={() => void isMine()} size="s">
            {words.asks.yes}
          </Button>
          <Button onClick={() => void isNotMine()} size="s">
            {words.asks.no}
          </Button>
        </div>
      </section>
    </div>
  );
}
