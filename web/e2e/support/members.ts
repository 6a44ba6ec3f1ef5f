/** Members of a group without a browser. Each has the cookie of a seat and a socket. */
import { once } from "node:events";
import { WebSocket } from "ws";
import type { Group } from "./people.ts";

export type Member = Awaited<ReturnType<typeof takeSeat>>;

const WORDS = ["ok", "Tacos at two? The place by the station is open, they say, all night long", "🌮"];
/** The server takes a member with more unread messages than this for one who reads too slowly. */
const UNREAD = 50;

let taken = 0;

/** Takes a seat. Gives its emoji, and functions that send messages, leave the group, and close the socket. */
export async function takeSeat({ base, id }: Group) {
  const seat = await fetch(`${base}/api/room-emoji/${id}`);
  if (!seat.ok) throw new Error(`no seat: ${seat.status}`);
  const emoji: string = await seat.json();
  const cookies = seat.headers.getSetCookie().map((one) => one.split(";")[0]);
  const cookie = cookies.join("; ");
  const socket = new WebSocket(`${base.replace("http", "ws")}/api/room/${id}/socket`, {
    headers: { cookie },
  });
  await once(socket, "open");
  taken += 1;
  const name = `m${String(taken).padStart(4, "0")}`;
  let [sentCount, receivedCount] = [0, 0];
  socket.on("message", (data) => {
    if (String(data).includes(`"${name}`)) receivedCount += 1;
  });
  const send = (message: object) =>
    socket.send(JSON.stringify({ action: "sendMessage", room_id: id, message }));
  const sendNew = (message: object) => {
    sentCount += 1;
    send({ id: name + String(sentCount).padStart(10, "0"), ...message });
  };
  /** Sends a message, as an answer to the one at `reply`. Gives its place in the group's log. */
  async function says(words: object, reply?: number): Promise<number> {
    const id = `${name}${String(sentCount + 1).padStart(10, "0")}`;
    const answer = new Promise<number>((resolve) => {
      socket.on("message", function hear(data) {
        const frame = JSON.parse(String(data));
        if (frame.id !== id || frame.seq === undefined) return;
        socket.off("message", hear);
        resolve(frame.seq);
      });
    });
    sendNew({ ...words, reply: reply === undefined ? null : ["", "", reply, ""] });
    return answer;
  }
  const say = (message = `${WORDS[sentCount % WORDS.length]} ${sentCount}`) =>
    sendNew({ event: "event.chat", message });
  send({ event: "event.connect" });

  return {
    emoji,
    say,
    says: (message: string, reply?: number) => says({ event: "event.chat", message }, reply),
    shows: (image_src: string, caption: string) => says({ event: "event.image", image_src, caption }),
    react: (message: number, emoji: string) => send({ event: "event.react", message, emoji }),
    sayLines: (count: number, from = "line") => {
      for (let at = 0; at < count; at += 1) say(`${from} ${at}`);
    },
    type: () => send({ event: "event.typing" }),
    /** Uploads a picture. Gives its address, which `show` needs. */
    async upload(picture: Buffer): Promise<string> {
      const headers = { "Content-Type": "application/json", cookie };
      const body = JSON.stringify({ room_id: id, image_b64: picture.toString("base64") });
      const answer = await fetch(`${base}/api/room/upload-image`, { method: "POST", headers, body });
      return (await answer.json()).message;
    },
    show: (image_src: string, caption = "") => sendNew({ event: "event.image", caption, image_src }),
    /** Sends `count` messages, as fast as the server sends them back. */
    async talk(count: number) {
      for (let left = count; left > 0; left -= 1) {
        say();
        while (sentCount - receivedCount > UNREAD) await once(socket, "message");
      }
      while (receivedCount < sentCount) await once(socket, "message");
    },
    leave: () => fetch(`${base}/api/room/${id}/seat`, { method: "DELETE", headers: { cookie } }),
    go: () => socket.terminate(),
  };
}
