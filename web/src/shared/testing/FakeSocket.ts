/** All sockets that were opened, the newest last. */
export const sockets: FakeSocket[] = [];

/** A browser's socket. The test takes the part of the server. */
export class FakeSocket {
  static readonly OPEN = 1;
  readyState = 0;
  onopen?: () => void;
  onmessage?: (event: { data: unknown }) => void;
  onclose?: (event: { code: number }) => void;
  readonly sent: string[] = [];

  constructor() {
    sockets.push(this);
  }

  send(text: string) {
    this.sent.push(text);
  }

  close() {
    this.readyState = 3;
  }

  accept() {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  deliver(frame: unknown) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}
