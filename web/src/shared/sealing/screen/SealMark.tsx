import { type ReactNode, useState } from "react";
import { paths } from "@/shared/contract/pages";
import { Icon } from "@/shared/ui/icons";
import { Dialog } from "@/shared/ui/overlay/Dialog";
import styles from "./SealMark.module.css";

type About = { lead: string; protects: string; knows: string; not: readonly string[]; check: string };

/** What sealing protects from, and what not. */
export function AboutSeal({ about, children }: { about: About; children?: ReactNode }) {
  return (
    <div className={styles.about}>
      <p>{about.lead}</p>
      <p>
        <strong>{about.protects}</strong> {about.knows}
      </p>
      <ul className={styles.not}>
        {about.not.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <p>
        <a className="target" href={paths.verify} rel="noopener opener" target="_blank">
          {about.check}
        </a>
      </p>
      {children}
    </div>
  );
}

/** Says that something is sealed, and, when it is pressed, what that protects from and what not. */
export function SealMark({ mark, about }: { mark: string; about: About & { heading: string } }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button aria-haspopup="dialog" className={styles.mark} onClick={() => setOpen(true)} type="button">
        <Icon name="lock" size={14} />
        {mark}
      </button>
      {isOpen && (
        <Dialog onClose={() => setOpen(false)} title={about.heading}>
          <AboutSeal about={about} />
        </Dialog>
      )}
    </>
  );
}
