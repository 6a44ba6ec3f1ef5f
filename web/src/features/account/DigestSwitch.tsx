import { useEffect, useState } from "react";
import { api } from "@/shared/api/api";
import { showNotice } from "@/shared/notices";
import { token } from "@/shared/session/session";
import { tellFailure } from "@/shared/session/tellFailure";
import { digestText } from "@/shared/text/digestText";
import { Switch } from "@/shared/ui/form/Switch";

const bearer = () => ({ token: token() ?? "" });

/** Whether the account's owner gets a mail a day, for who has no push. */
export function DigestSwitch() {
  const [isOn, setOn] = useState<boolean>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    api("get", "/api/digest", bearer()).then(({ data }) => setOn(data.on), tellFailure);
  }, []);

  async function change(on: boolean) {
    setBusy(true);
    try {
      await api("put", "/api/digest", { json: { on }, ...bearer() });
      setOn(on);
      showNotice(on ? digestText.on : digestText.off);
    } catch (failure) {
      tellFailure(failure);
    }
    setBusy(false);
  }

  return (
    <fieldset disabled={busy || isOn === undefined}>
      <Switch
        isOn={isOn ?? false}
        more={digestText.more}
        name={digestText.name}
        onChange={(on) => void change(on)}
      />
    </fieldset>
  );
}
