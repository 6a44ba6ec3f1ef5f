import { useEffect, useRef } from "react";
import { text } from "@/shared/text/text";
import type { Face, Message } from "../chat";
import { frame } from "../early/draw";
import { disc, element } from "../early/element";
import { drawnLines } from "../early/lines";
import composer from "../ui/Composer.module.css";
import logs from "../ui/Log.module.css";
import toggle from "../ui/MembersToggle.module.css";
import headers from "../ui/RoomHeader.module.css";
import styles from "./GroupSample.module.css";

const ME = "🦊";

/** A group's screen, as it is drawn before its app is there: the real one, and nothing in it can be used. */
export function GroupSample() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const log = drawnLog();
    place.current?.replaceChildren(around(log));
    log.scrollTop = log.scrollHeight;
  }, []);
  return <div className={styles.sample} data-sample ref={place} />;
}

function drawnLog(): HTMLElement {
  const log = element("div", { class: logs.log }, element("div", { class: logs.push }));
  for (const lines of drawnLines(messages())) log.firstElementChild?.after(...lines);
  return log;
}

function around(log: HTMLElement): HTMLElement {
  const { sampleName, sampleLeft, seats } = text.landing.groups;
  const name = element("h1", { class: headers.name }, sampleName);
  const faces = seats.slice(0, 3).map((face) => disc(face, toggle.face));
  const heap = element("span", { class: toggle.heap, "data-seats": "3" }, ...faces);
  const count = element("span", { class: `${toggle.count} ${styles.count}` }, String(seats.length));
  const me = element("span", { class: composer.me }, disc(ME));
  return frame(name, log, me, { left: sampleLeft, seats: [heap, count] });
}

/** Said just now, a minute apart. */
function messages(): Message[] {
  const { sample } = text.landing.groups;
  return sample.map(({ face, line, answers }, at) => ({
    kind: "message",
    key: line,
    id: line,
    seq: at,
    sender: face,
    mine: face === ME,
    words: line,
    picture: null,
    reply: quote(sample[answers ?? -1], answers),
    time: Date.now() - (sample.length - at) * 60_000,
    unsent: false,
    delivery: { state: "sent" },
  }));
}

function quote(answered: { face: Face; line: string } | undefined, seq = 0): Message["reply"] {
  return answered ? { sender: answered.face, words: answered.line, seq, picture: "" } : null;
}
