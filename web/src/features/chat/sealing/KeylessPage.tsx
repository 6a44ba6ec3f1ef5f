import { type FormEvent, useState } from "react";
import { roomAt } from "@/shared/links";
import { sealedText } from "@/shared/text/sealedText";
import { Button } from "@/shared/ui/Button";
import { Field } from "@/shared/ui/form/Field";
import { TagForm } from "@/shared/ui/form/Form";
import form from "@/shared/ui/form/form.module.css";

type Props = {
  /** What may stand in the group's link: its id, or what it got later. */
  ids: readonly string[];
  why: "missing" | "wrong" | "cant";
};

/** What somebody sees who came to a sealed group without its key, or with another one. */
export function KeylessPage({ ids, why }: Props) {
  const words = sealedText.keyless;
  const [link, setLink] = useState("");
  const [error, setError] = useState<string>();

  function open(event: FormEvent) {
    event.preventDefault();
    const key = keyIn(link.trim(), ids);
    if (key === undefined) return setError(words.notWhole);
    // A change of the part behind the "#" alone loads nothing.
    window.location.hash = key;
    window.location.reload();
  }

  return (
    <TagForm tone="sky" words={{ heading: words.heading, small: words.small }}>
      <p role="status">{words[why]}</p>
      <p>{words.more}</p>
      {why !== "cant" && (
        <form className={form.form} noValidate onSubmit={open}>
          <Field
            autoComplete="off"
            dir="ltr"
            error={error}
            label={words.link}
            onValue={(value) => {
              setLink(value);
              setError(undefined);
            }}
            value={link}
          />
          <div className={form.submit}>
            <Button kind="hot" size="l" type="submit">
              {words.open}
            </Button>
          </div>
        </form>
      )}
    </TagForm>
  );
}

/** The key in a link of this group, or a key alone. */
function keyIn(link: string, ids: readonly string[]): string | undefined {
  const [address = "", key = ""] = link.includes("#") ? link.split("#") : ["", link];
  const path = address === "" ? "" : (URL.parse(address, window.location.origin)?.pathname ?? "");
  const isHere = address === "" || ids.includes(roomAt(path) ?? "");
  return isHere && /^[\w-]{43}$/.test(key) ? key : undefined;
}
