import type { Environment } from "@/shared/live/LiveSocket";

/** One timer of each name: set anew, it starts anew. */
export class Timers {
  private readonly environment: Pick<Environment, "later" | "cancel">;
  private readonly running = new Map<string, number>();

  constructor(environment: Pick<Environment, "later" | "cancel">) {
    this.environment = environment;
  }

  set(name: string, ms: number, run: () => void) {
    this.cancel(name);
    const timer = this.environment.later(() => {
      this.running.delete(name);
      run();
    }, ms);
    this.running.set(name, timer);
  }

  isSet(name: string): boolean {
    return this.running.has(name);
  }

  cancel(name: string) {
    const timer = this.running.get(name);
    if (timer !== undefined) this.environment.cancel(timer);
    this.running.delete(name);
  }

  cancelAll() {
    for (const name of [...this.running.keys()]) this.cancel(name);
  }
}
