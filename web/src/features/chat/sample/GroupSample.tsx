import { useEffect, useState } from "react";
import { createStore } from "zustand/vanilla";
import { paths } from "@/shared/paths";
import { text } from "@/shared/text/text";
import type { ChatActions, ChatState, Message } from "../model/chat";
import screens from "../screen/ChatScreen.module.css";
import { type Chat, ChatContext } from "../screen/chatContext";
import { Composer } from "../screen/composer/Composer";
import { RoomHeader } from "../screen/header/RoomHeader";
import { Log } from "../screen/log/Log";
import { createScreen } from "../screen/screen";
import styles from "./GroupSample.module.css";

const ME = "🦊";
const MINUTE_MS = 60_000;
const LASTS_MS = 24 * 60 * MINUTE_MS;
/** By then the list knows its lines' heights and has gone to its end: nobody is to see it move. */
const FRAMES_TO_REST = 6;

/** A group's screen, drawn by the group's own components. It is to be put where nothing can be used. */
export function GroupSample() {
  const [chat] = useState(sampleChat);
  const [frames, setFrames] = useState(0);

  useEffect(() => {
    if (frames === FRAMES_TO_REST) return;
    const next = requestAnimationFrame(() => setFrames(frames + 1));
    return () => cancelAnimationFrame(next);
  }, [frames]);

  return (
    <ChatContext value={chat}>
      <div className={styles.sample} data-at-rest={frames === FRAMES_TO_REST} data-sample>
        <div className={screens.screen}>
          <div className={screens.top}>
            <RoomHeader home={paths.landing} />
          </div>
          <div className={screens.main}>
            <Log />
          </div>
          <Composer />
        </div>
      </div>
    </ChatContext>
  );
}

function sampleChat(): Chat {
  // Where nothing can be used, no other action is called.
  const actions = { draft: () => ({ words: "", replyTo: undefined }) } as ChatActions;
  return { store: createStore(sampleState), actions, screen: createScreen(undefined) };
}

function sampleState(): ChatState {
  const { sampleName, seats, sample } = text.landing.groups;
  const { username } = text.landing.how;
  const lines = messages();
  const made = new Date(Date.now() - (lines.length + 1) * MINUTE_MS);
  const date = made.toISOString().slice(0, 19).replace("T", " ");
  const expiresAt = made.getTime() + LASTS_MS;
  return {
    room: { id: "", name: sampleName, date, creator: username, expiresAt, locked: false },
    me: ME,
    amCreator: false,
    lines,
    members: seats,
    active: seats,
    faces: new Set(seats),
    typing: [],
    connection: "live",
    lastSeq: sample.length,
    messageCount: sample.length,
    hasOlder: false,
    loadingOlder: false,
    unreadFrom: undefined,
    unread: 0,
    mentioned: false,
    ended: undefined,
  };
}

/** They were said just now, a minute apart. */
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
    reply: quoteOf(sample[answers ?? -1], answers),
    time: Date.now() - (sample.length - at) * MINUTE_MS,
    unsent: false,
    delivery: { state: "sent" },
  }));
}

function quoteOf(answered: { face: string; line: string } | undefined, seq = 0): Message["reply"] {
  return answered ? { sender: answered.face, words: answered.line, seq, picture: "" } : null;
}
