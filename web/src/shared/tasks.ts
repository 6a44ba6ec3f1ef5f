/**
 * Waits for a new task, so that the browser can handle input and draw before. Unlike a timer, this is not slowed down
 * while the page is in the background.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
