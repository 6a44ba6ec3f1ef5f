import { type ReactNode, useEffect, useEffectEvent, useId, useState } from "react";
import type { Schemas } from "@/shared/api/api";
import { showNotice } from "@/shared/notices";
import { pushText } from "@/shared/text/pushText";
import { text } from "@/shared/text/text";
import { Button } from "@/shared/ui/Button";
import { Switch } from "@/shared/ui/form/Switch";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import { Skeleton } from "@/shared/ui/Skeleton";
import styles from "./AwayDialog.module.css";
import type { Away, Kind, Subscription } from "./away";
import { begin } from "./begin";
import { minutesOf, type QuietHours, shownTime } from "./quietHours";
import { idOf, NotAllowed, obstacle, present } from "./subscription";

/** What is below the switches is for who has no push. */
type Props = { away: Away; onClose: () => void; children?: ReactNode };

/** From ten in the evening until seven in the morning. */
const NIGHT = ["22:00", "07:00"] as const;

/** What this browser tells of while no page is open. Each change is kept at once. */
export function AwayDialog({ away, onClose, children }: Props) {
  const words = pushText;
  const [server, setServer] = useState<Schemas["PushData"]>();
  const [ownId, setOwnId] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [obstructed, setObstructed] = useState(obstacle);

  const load = useEffectEvent(async () => {
    try {
      const [{ data }, subscription] = await Promise.all([away.load(), obstructed ? undefined : present()]);
      setOwnId(subscription && (await idOf(subscription)));
      setServer(data);
    } catch (failure) {
      failed(failure);
      onClose();
    }
  });
  useEffect(() => void load(), []);

  function failed(failure: unknown) {
    if (failure instanceof NotAllowed) setObstructed("blocked");
    else away.failed(failure);
  }

  const own = server?.subscriptions.find(({ id }) => id === ownId);
  const others = server?.subscriptions.filter(({ id }) => id !== ownId) ?? [];

  async function attempt(change: () => Promise<void>) {
    setBusy(true);
    try {
      await change();
    } catch (failure) {
      failed(failure);
    }
    setBusy(false);
  }

  const keep = (own: Subscription | undefined) =>
    setServer((before) => before && { ...before, subscriptions: own ? [...others, own] : others });

  const change = (key: string, kinds: Kind[], quiet: QuietHours | null) =>
    attempt(async () => {
      if (kinds.length === 0) {
        if (own) await away.drop(own.id);
        keep(undefined);
        showNotice(words.ended);
        return;
      }
      const id = await begin(away, key, kinds, quiet);
      setOwnId(id);
      keep({ id, kinds, quiet, added: own?.added ?? "" });
      if (!own) showNotice(words.begun);
    });

  const endOthers = () =>
    attempt(async () => {
      for (const { id } of others) await away.drop(id);
      setServer((before) => before && { ...before, subscriptions: own ? [own] : [] });
      showNotice(words.othersEnded);
    });

  const key = server?.key ?? undefined;
  const why = server && (key === undefined ? "none" : obstructed);
  return (
    <Dialog body={words.body} onClose={onClose} title={words.title}>
      {server === undefined && <Skeleton label={text.loading} row="m" />}
      {why && <p className={styles.obstacle}>{words.obstacles[why]}</p>}
      {key !== undefined && !why && (
        <fieldset className={styles.switches} disabled={busy}>
          {(Object.keys(away.kinds) as Kind[]).map((kind) => (
            <Switch
              isOn={own?.kinds.includes(kind) ?? false}
              key={kind}
              name={away.kinds[kind] ?? ""}
              onChange={(isOn) => {
                const others = own?.kinds.filter((one) => one !== kind) ?? [];
                void change(key, isOn ? [...others, kind] : others, own?.quiet ?? null);
              }}
            />
          ))}
          {own && (
            <Quiet onChange={(quiet) => void change(key, own.kinds, quiet)} quiet={own.quiet ?? null} />
          )}
        </fieldset>
      )}
      {others.length > 0 && (
        <div className="row">
          <p>{words.others(others.length)}</p>
          <Button busy={busy} onClick={() => void endOthers()} size="s">
            {words.endOthers}
          </Button>
        </div>
      )}
      <p className={styles.service}>{words.service}</p>
      {children}
    </Dialog>
  );
}

type QuietProps = { quiet: QuietHours | null; onChange: (quiet: QuietHours | null) => void };

function Quiet({ quiet, onChange }: QuietProps) {
  const words = pushText;
  const times = quiet ? [shownTime(quiet.from), shownTime(quiet.to)] : [...NIGHT];
  const set = (changed: string[]) => {
    const [from, to] = changed.map((time) => minutesOf(time));
    // While somebody types, it is no time yet.
    if (from !== undefined && to !== undefined && from !== to) onChange({ from, to });
  };
  return (
    <>
      <Switch
        isOn={quiet !== null}
        more={words.quietMore}
        name={words.quiet}
        onChange={(isOn) => (isOn ? set([...NIGHT]) : onChange(null))}
      />
      {quiet && (
        <div className="row">
          <Time label={words.from} onChange={(from) => set([from, times[1] ?? ""])} time={times[0] ?? ""} />
          <Time label={words.to} onChange={(to) => set([times[0] ?? "", to])} time={times[1] ?? ""} />
        </div>
      )}
    </>
  );
}

function Time({ label, time, onChange }: { label: string; time: string; onChange: (time: string) => void }) {
  const id = useId();
  return (
    <label className={styles.time} htmlFor={id}>
      {label}{" "}
      <input defaultValue={time} id={id} onBlur={({ target }) => onChange(target.value)} type="time" />
    </label>
  );
}
