import { Connection } from "../connection/Connection";
import type { Ending } from "../model/chat";
import type { Frame } from "../model/frames";

type Message = Record<string, unknown>;

/** What opens the frames that come, and seals what goes. `send` sends what has to come before that. */
type Sealing = {
  frame: (frame: Frame) => Promise<Frame>;
  seal: (message: Message, send: (message: Message) => void) => Promise<Message>;
};

/** The socket of a sealed group or conversation: opens what comes, in its order, and seals what goes. */
export const connectionOf = (sealing: Sealing) =>
  class extends Connection {
    /** The frames that have come are opened. */
    private opening: Promise<unknown> = Promise.resolve();
    /** Counts the sockets. */
    private socket = 0;

    override send(message: Record<string, unknown>): boolean {
      if (message.event !== "event.chat" && message.event !== "event.image") return super.send(message);
      const send = (sealed: Record<string, unknown>) => super.send(sealed);
      // If it fails, no echo comes, and the message is sent again.
      void sealing.seal(message, send).then(send, () => {});
      return true;
    }

    /** The frames of a connection that is lost come again by the next one. */
    protected override receive(frame: Frame) {
      const { socket } = this;
      const open = async () => {
        const opened = await sealing.frame(frame);
        if (socket === this.socket) super.receive(opened);
      };
      this.opening = this.opening.then(open).catch(reportError);
    }

    protected override forget() {
      this.socket += 1;
      super.forget();
    }

    /** The last frames say why it ends. */
    protected override finish(why: Ending) {
      void this.opening.then(() => super.finish(why));
    }
  };
