import { useState } from "react";
import { ROOM_LIFETIME_HOURS, ROOM_NAME_MAX } from "@/shared/contract/limits";
import { appText } from "@/shared/text/appText";
import { Button } from "@/shared/ui/Button";
import { Choice } from "@/shared/ui/form/Choice";
import { Field } from "@/shared/ui/form/Field";
import form from "@/shared/ui/form/form.module.css";
import { TagForm } from "@/shared/ui/form/TagForm";
import { capped } from "@/shared/ui/form/TextArea";
import { useSubmission } from "@/shared/ui/form/useSubmission";
import { IconButton } from "@/shared/ui/IconButton";
import { GroupNotices } from "./GroupNotices";
import { anotherName, createRoom, isNameEnough, LIFETIMES, type Lifetime, type NewRoom } from "./newRoom";

type Props = {
  /** Not the first form: the button that asked for it is gone, so the focus moves here. */
  isAnother: boolean;
  onCreated: (room: NewRoom) => void;
  onSignedOut: () => void;
};

export function NewGroupForm({ isAnother, onCreated, onSignedOut }: Props) {
  const words = appText.newGroup;
  const [name, setName] = useState("");
  const [hours, setHours] = useState<Lifetime>(ROOM_LIFETIME_HOURS);
  const [tooShort, setTooShort] = useState(false);
  const { busy, failure, closeFailure, onSubmit } = useSubmission(
    () => {
      // The button isn't there yet, but the Enter key is.
      setTooShort(!isNameEnough(name));
      return isNameEnough(name) && create();
    },
    { onSignedOut },
  );

  function change(next: string) {
    setName(capped(next, ROOM_NAME_MAX));
    setTooShort(false);
    closeFailure();
  }

  async function create() {
    onCreated(await createRoom(name, hours));
  }

  return (
    <TagForm tone="lilac" words={words}>
      <form className={form.form} noValidate onSubmit={onSubmit}>
        <Field
          action={
            <IconButton
              icon="wand"
              label={words.wand}
              onClick={() => change(anotherName(words.fancyNames, name))}
            />
          }
          autoComplete="off"
          autoFocus={isAnother}
          dir="auto"
          error={(tooShort ? appText.codes.group_name_too_short : failure) || undefined}
          hint={words.nameHint}
          label={words.name}
          name="name"
          onValue={change}
          value={name}
        />
        <Choice
          chosen={`${hours}`}
          label={words.lifetime}
          onChoose={(chosen) => setHours(LIFETIMES.find((known) => `${known}` === chosen) ?? hours)}
          options={LIFETIMES.map(String)}
          words={Object.fromEntries(LIFETIMES.map((known) => [`${known}`, words.hours(known)]))}
        />
        {isNameEnough(name) && (
          <div className={form.submit} ref={bringIntoView}>
            <Button busy={busy} kind="hot" size="l" type="submit">
              {words.submit}
            </Button>
          </div>
        )}
      </form>
      <GroupNotices hours={hours} />
    </TagForm>
  );
}

/** It comes while the name is typed, and a phone's keyboard leaves little of the page. */
function bringIntoView(submit: HTMLElement | null) {
  submit?.scrollIntoView({ block: "nearest" });
}
