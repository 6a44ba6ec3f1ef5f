// The least that Bun can do: what comes in is published as it is.

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env.PORT ?? 0),
  fetch(request, server) {
    const { pathname } = new URL(request.url);
    if (server.upgrade(request, { data: pathname })) return undefined;
    return new Response("ask for an upgrade", { status: 400 });
  },
  websocket: {
    perMessageDeflate: false,
    maxPayloadLength: 16 * 1024,
    open(socket) {
      socket.subscribe(socket.data);
    },
    message(socket, text) {
      server.publish(socket.data, text);
    },
  },
});

console.log(`bun ${Bun.version} listening on ${server.port}`);
