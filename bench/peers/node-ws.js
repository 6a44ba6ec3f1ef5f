// Node's `ws`, as its own broadcast example does it: a text is sent to every
// open socket of the room. Without compression, which its documentation
// advises against where memory and speed matter; with bufferutil.

import { createServer } from "node:http";
import { createRequire } from "node:module";
import { WebSocket, WebSocketServer } from "ws";

const http = createServer();
const sockets = new WebSocketServer({ server: http, perMessageDeflate: false, maxPayload: 16 * 1024, clientTracking: false });
const rooms = new Map();

sockets.on("connection", (socket, request) => {
  const name = request.url;
  const room = rooms.get(name) ?? new Set();
  rooms.set(name, room.add(socket));
  socket.on("message", (text, isBinary) => {
    for (const member of room) {
      if (member.readyState === WebSocket.OPEN) member.send(text, { binary: isBinary });
    }
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    room.delete(socket);
    if (room.size === 0) rooms.delete(name);
  });
});

http.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  const { version } = createRequire(import.meta.url)("ws/package.json");
  console.log(`ws ${version} on node ${process.version} listening on ${http.address().port}`);
});
