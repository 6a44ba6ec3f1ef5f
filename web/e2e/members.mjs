/** Members of a group without a browser: a seat's cookie and a socket each. */
import { randomBytes } from "node:crypto";
import { request } from "node:http";

/** Takes a seat; gives its face, and how to send messages of the protocol, to leave and to go. */
export async function takeSeat(base, id) {
  const seat = await fetch(`${base}/api/room-emoji/${id}`);
  if (!seat.ok) throw new Error(`no seat: ${seat.status}`);
  const cookie = seat.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  const socket = await open(`${base}/api/room/${id}/socket`, cookie);
  const send = (message) => {
    socket.write(masked(JSON.stringify({ action: "sendMessage", room_id: id, message })));
  };
  let said = 0;
  send({ event: "event.connect" });
  return {
    face: await seat.json(),
    type: () => send({ event: "event.typing" }),
    say: (message, more = {}) => {
      said += 1;
      send({ event: "event.chat", id: `member${String(said).padStart(9, "0")}`, message, ...more });
    },
    leave: () => fetch(`${base}/api/room/${id}/seat`, { method: "DELETE", headers: { cookie } }),
    go: () => socket.destroy(),
  };
}

/** As many, one after the other. */
export async function takeSeats(base, id, count) {
  const members = [];
  for (let at = 0; at < count; at += 1) members.push(await takeSeat(base, id));
  return members;
}

/** Node 20 has no WebSocket of its own. What is heard is thrown away. */
function open(address, cookie) {
  const headers = {
    Connection: "Upgrade",
    Cookie: cookie,
    "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
    "Sec-WebSocket-Version": "13",
    Upgrade: "websocket",
  };
  return new Promise((resolve, reject) => {
    request(address, { headers })
      .on("upgrade", (_, socket) => resolve(socket.on("error", () => {}).resume()))
      .on("response", ({ statusCode }) => reject(new Error(`no socket: ${statusCode}`)))
      .on("error", reject)
      .end();
  });
}

/** A text frame as a client has to send it. */
function masked(text) {
  const words = Buffer.from(text);
  const head = Buffer.from([0x81, 0xfe, words.length >> 8, words.length & 0xff]);
  const mask = randomBytes(4);
  // A length that would fit into seven bits has to stand there.
  const short = Buffer.from([0x81, 0x80 | words.length]);
  return Buffer.concat([
    words.length < 126 ? short : head,
    mask,
    words.map((byte, at) => byte ^ mask[at % 4]),
  ]);
}
