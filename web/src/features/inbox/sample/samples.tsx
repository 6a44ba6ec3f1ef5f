import { useEffect, useRef } from "react";
import { appText } from "@/shared/text/appText";
import { text } from "@/shared/text/text";
import { facesReady, paint } from "../capture/paint";
import { NoteCard } from "../NoteCard";
import styles from "./samples.module.css";

const HOUR_MS = 3_600_000;

const nothing = () => {};

/** The inbox's own cards, the first one new. */
export function NotesSample() {
  return (
    <ul className={styles.notes}>
      {text.landing.how.notes.map((message, at) => {
        const date = new Date(Date.now() - (at * 23 + 1) * HOUR_MS).toISOString().slice(0, 16);
        const note = { id: message, message, seen: at > 0, date: `${date.replace("T", " ")}:00` };
        return (
          <li key={message}>
            <NoteCard
              id={`sample-${at}`}
              note={note}
              onCapture={nothing}
              onRead={nothing}
              onRemove={nothing}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** The picture that the inbox makes of a note. */
export function CaptureSample() {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { username, notes } = text.landing.how;
    const { heading, invite } = appText.capture;
    const address = `${window.location.host}/${username}`;
    const [message = ""] = notes;
    void facesReady().then(() => {
      if (canvas.current)
        paint(canvas.current, { message, heading, invite, address, shape: "square", look: "hot" });
    });
  }, []);
  return <canvas className={styles.capture} ref={canvas} />;
}
