import { useState } from "react";
import { ROOM_LIFETIME_HOURS, ROOM_NAME_MAX } from "@/shared/contract/limits";
import { createRoom, LIFETIMES, type Lifetime, type NewRoom, type Sealing } from "@/shared/createRoom";
import { appText } from "@/shared/text/appText";
import { capped } from "@/shared/text/characters";
import { groupNamesText } from "@/shared/text/groupNamesText";
import { sealedText } from "@/shared/text/sealedText";
import { Button } from "@/shared/ui/Button";
import { EmojiDisc } from "@/shared/ui/EmojiDisc";
import { Choice } from "@/shared/ui/form/Choice";
import { Field } from "@/shared/ui/form/Field";
import { TagForm } from "@/shared/ui/form/Form";
import form from "@/shared/ui/form/form.module.css";
import { Switch } from "@/shared/ui/form/Switch";
import { useForm } from "@/shared/ui/form/useForm";
import { IconButton } from "@/shared/ui/IconButton";
import styles from "./NewRoom.module.css";
import { anotherName, canSeal, isNameEnough } from "./newRoom";

type Props = {
  /** True for a second form. The button that opened it is gone, so the form gets the focus. */
  isAnother: boolean;
  onCreated: (room: NewRoom) => void;
  seal: Sealing;
};

export function NewRoomForm({ isAnother, onCreated, seal }: Props) {
  const words = appText.newRoom;
  const [hours, setHours] = useState<Lifetime>(ROOM_LIFETIME_HOURS);
  const [askFirst, setAskFirst] = useState(false);
  const [isSealed, setSealed] = useState(false);
  const { field, submission } = useForm({ name: "" }, checkName, create);
  const { busy, failure, closeFailure, onSubmit } = submission;
  const name = field("name");

  function change(next: string) {
    name.onValue(capped(next, ROOM_NAME_MAX));
    closeFailure();
  }

  async function create({ name }: { name: string }) {
    onCreated(await createRoom(name, hours, askFirst, isSealed ? seal : undefined));
  }

  return (
    <TagForm
      tone="lilac"
      words={{ ...words, lead: `${words.lead} ${askFirst ? appText.rooms.askFirst.more : words.open}` }}
    >
      <form className={form.form} noValidate onSubmit={onSubmit}>
        <Field
          {...name}
          {...words.name}
          action={
            <IconButton
              icon="wand"
              label={words.wand}
              onClick={() => change(anotherName(groupNamesText.fancy, name.value))}
            />
          }
          autoComplete="off"
          autoFocus={isAnother}
          dir="auto"
          error={name.error ?? (failure || undefined)}
          onValue={change}
        />
        <Choice
          chosen={hours}
          label={words.lifetime}
          onChoose={setHours}
          options={LIFETIMES}
          words={words.hours}
        />
        <Switch
          isOn={askFirst}
          more={appText.rooms.askFirst.more}
          name={appText.rooms.askFirst.name}
          onChange={setAskFirst}
        />
        {canSeal() && <Switch {...sealedText.choice} isOn={isSealed} onChange={setSealed} />}
        {isNameEnough(name.value) && (
          <div className={form.submit} ref={bringIntoView}>
            <Button busy={busy} kind="hot" size="l" type="submit">
              {appText.rooms.create}
            </Button>
          </div>
        )}
      </form>
      <NewRoomNotices hours={hours} />
    </TagForm>
  );
}

/** While the name is too short the button is not shown, but one can press Enter. */
function checkName({ name }: { name: string }) {
  return isNameEnough(name) ? {} : { name: appText.codes.group_name_too_short };
}

/** Scrolls to the button, which appears while one types: a phone's keyboard may cover it. */
function bringIntoView(submit: HTMLElement | null) {
  submit?.scrollIntoView({ block: "nearest" });
}

export function NewRoomNotices({ hours }: { hours: number }) {
  const words = appText.newRoom.notices;
  const notices = [
    ["🪑", words.members],
    ["🎲", words.emojis],
    ["⏳", words.end(hours)],
  ] as const;
  return (
    <ul aria-label={words.label} className={styles.notices}>
      {notices.map(([emoji, notice]) => (
        <li className={styles.notice} key={emoji}>
          <EmojiDisc emoji={emoji} size="s" />
          {notice}
        </li>
      ))}
    </ul>
  );
}
