// A chat server with Annon's frames over Bun's publish/subscribe, as a user would write it. It
// parses and checks JSON, adds the sender, the time and the seq, and publishes it. It stores nothing.

const emojis = ["🦊", "🐼", "🐸", "🦉", "🐙", "🐝", "🦀", "🐳", "🌵", "🍄"];
const membersMax = emojis.length;
const rooms = new Map();

function roomOf(id) {
  let room = rooms.get(id);
  if (!room) {
    room = { id, seq: 0, seats: new Map() };
    rooms.set(id, room);
  }
  return room;
}

function cookieOf(request) {
  return /(?:^|; )annon_seat=([\w-]+)/.exec(request.headers.get("cookie") ?? "")?.[1];
}

function seat(request, room) {
  const cookie = cookieOf(request);
  const held = cookie && room.seats.get(cookie);
  if (held) return Response.json(held);
  if (room.seats.size >= membersMax) return Response.json({ status: 403, message: "This group is full" }, { status: 403 });
  const fresh = crypto.randomUUID();
  const emoji = emojis[room.seats.size];
  room.seats.set(fresh, emoji);
  return Response.json(emoji, { headers: { "set-cookie": `annon_seat=${fresh}; Path=/api; HttpOnly; SameSite=Lax` } });
}

function refused(socket, id, message) {
  socket.send(JSON.stringify({ event: "event.error", id: typeof id === "string" ? id : null, message }));
}

const chatId = /^[A-Za-z0-9]{15}$/;

function hear(socket, text) {
  const { room, emoji } = socket.data;
  let frame;
  try {
    frame = JSON.parse(text);
  } catch {
    return refused(socket, null, "That is not a frame this server understands.");
  }
  const said = frame?.message;
  if (frame?.action !== "sendMessage" || typeof said !== "object" || said === null) {
    return refused(socket, null, "That is not a frame this server understands.");
  }
  if (frame.room_id !== room.id) return refused(socket, said.id, "This socket belongs to another group.");
  if (said.event === "event.connect") {
    socket.send(JSON.stringify({ event: "event.ready", last_seq: room.seq, resumed: true }));
    return;
  }
  if (said.event !== "event.chat") return;
  const { id, message } = said;
  if (typeof id !== "string" || !chatId.test(id)) return refused(socket, id, "A message needs an id.");
  if (typeof message !== "string" || message.length === 0 || message.length > 255) {
    return refused(socket, id, "A message has 1 to 255 characters.");
  }
  room.seq += 1;
  server.publish(
    room.id,
    JSON.stringify({
      event: "event.chat",
      id,
      sender: emoji,
      message,
      caption: "",
      image_src: null,
      image_low: null,
      reply: null,
      time: new Date().toISOString().slice(11, 23),
      seq: room.seq,
    }),
  );
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT ?? 0),
  fetch(request, server) {
    const { pathname } = new URL(request.url);
    const asked = /^\/api\/room-emoji\/([\w-]+)$/.exec(pathname);
    if (asked) return seat(request, roomOf(asked[1]));
    const opened = /^\/api\/room\/([\w-]+)\/socket$/.exec(pathname);
    if (!opened) return new Response("no such call", { status: 404 });
    const room = roomOf(opened[1]);
    const emoji = room.seats.get(cookieOf(request));
    if (!emoji) return new Response("no seat", { status: 403 });
    if (server.upgrade(request, { data: { room, emoji } })) return undefined;
    return new Response("ask for an upgrade", { status: 400 });
  },
  websocket: {
    perMessageDeflate: false,
    maxPayloadLength: 16 * 1024,
    open(socket) {
      socket.subscribe(socket.data.room.id);
    },
    message: hear,
  },
});

console.log(`bun ${Bun.version} listening on ${server.port}`);
