import { expect, test } from "vitest";
import { nextTask } from "./tasks";

test("what waits already comes first, and what follows comes in another task", async () => {
  const order: string[] = [];
  const { port1, port2 } = new MessageChannel();
  const waiting = new Promise<void>((heard) => {
    port1.onmessage = () => {
      order.push("waiting");
      port1.close();
      heard();
    };
  });
  port2.postMessage(undefined);
  const next = nextTask().then(() => order.push("next"));
  await Promise.resolve().then(() => order.push("same task"));
  await Promise.all([waiting, next]);
  expect(order).toEqual(["same task", "waiting", "next"]);
});
