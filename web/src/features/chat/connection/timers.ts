import type { SocketEnvironment } from "@/shared/live/LiveSocket";

/** Timers with names. Setting a timer that is running starts it again. */
export function timersOf({ later, cancel }: Pick<SocketEnvironment, "later" | "cancel">) {
  const running = new Map<string, number>();

  function stop(name: string) {
    const timer = running.get(name);
    if (timer !== undefined) cancel(timer);
    running.delete(name);
  }

  return {
    set(name: string, ms: number, run: () => void) {
      stop(name);
      const timer = later(() => {
        running.delete(name);
        run();
      }, ms);
      running.set(name, timer);
    },
    isSet: (name: string) => running.has(name),
    cancel: stop,
    cancelAll: () => [...running.keys()].forEach(stop),
  };
}

export type Timers = ReturnType<typeof timersOf>;
