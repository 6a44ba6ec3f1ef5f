import { useState } from "react";
import { createStore } from "zustand/vanilla";
import { paths } from "@/shared/paths";
import { text } from "@/shared/text/text";
import type { ChatActions } from "../ChatRoom";
import type { ChatState } from "../model/chat";
import type { ChatFrame } from "../model/frames";
import { opened } from "../model/happenings";
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

/** A group's screen, drawn by the group's own components. It is to be put where nothing can be used. */
export function GroupSample() {
  const [chat] = useState(sampleChat);
  return (
    <ChatContext value={chat}>
      <div className={styles.sample} data-sample>
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
  const actions = { draft: () => ({ words: "", replyTo: undefined }), lookAtEnd: () => {} };
  const screen = createScreen(undefined);
  screen.setState({ membersBeside: false });
  return { store: createStore(sampleState), actions: actions as unknown as ChatActions, screen };
}

/** A group as a server would tell of it. What is in it was said just now, a minute apart. */
function sampleState(): ChatState {
  const { sampleName, seats, sample } = text.landing.groups;
  const made = Date.now() - (sample.length + 1) * MINUTE_MS;
  const iso = (at: number) => new Date(made + at * MINUTE_MS).toISOString();
  const messages = sample.map(({ face, line, answers = -1 }, at) => {
    const answered = sample[answers];
    return {
      event: "event.chat",
      id: line,
      sender: face,
      message: line,
      caption: "",
      reply: answered ? [answered.face, answered.line, answers, ""] : null,
      time: iso(at + 1).slice(11, -1),
      seq: at,
    } as ChatFrame;
  });
  const data = {
    id: "",
    name: sampleName,
    date: iso(0).slice(0, 19).replace("T", " "),
    creator: text.landing.how.username,
    members: seats,
    expire_at: 0,
    messages,
    last_seq: messages.length,
    message_count: messages.length,
    locked: false,
    has_older: false,
  };
  const start = { data, me: ME, amCreator: false, expiresAt: made + LASTS_MS };
  return { ...opened(start), active: seats, connection: "live" };
}
