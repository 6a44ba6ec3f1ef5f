// Socket.IO with rooms, over WebSocket alone and without compression, as its
// documentation advises for speed; with bufferutil.

import { createServer } from "node:http";
import { createRequire } from "node:module";
import { Server } from "socket.io";

const http = createServer();
const io = new Server(http, {
  transports: ["websocket"],
  perMessageDeflate: false,
  httpCompression: false,
  maxHttpBufferSize: 16 * 1024,
  serveClient: false,
});

io.on("connection", (socket) => {
  const { room } = socket.handshake.query;
  socket.join(room);
  socket.on("say", (text) => io.to(room).emit("say", text));
  // Its documentation advises to let go of the first request.
  socket.conn.request = null;
});

http.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
  const { version } = createRequire(import.meta.url)("socket.io/package.json");
  console.log(`socket.io ${version} on node ${process.version} listening on ${http.address().port}`);
});
