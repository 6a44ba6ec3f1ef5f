/**
 * Ends the task: what the browser has to do, and what a thumb has done meanwhile, comes first. Unlike a timer, this
 * isn't slowed down while the page is in the background.
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
