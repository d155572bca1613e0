/** One who takes slots: a queue's claim loop. */
export interface SlotUser {
  /** Expects tasks: was not found empty at its last look. */
  readonly eager: boolean;
}

interface Waiter {
  readonly user: SlotUser;
  readonly max: number;
  readonly take: (count: number) => void;
  /** How often somebody later in line came before. */
  passed: number;
}

/** Tasks that a queue may have one after the other in a slot that another one waits for. */
const TURNS = 10;

/** As many places as tasks may be held at once. A place is taken before its task is claimed. */
export class Slots {
  private waiters: Waiter[] = [];
  private free: number;
  private serving = false;

  constructor(readonly size: number) {
    this.free = size;
  }

  /** Takes up to `max` places, waiting in line for a first one. 0 when the signal aborts. */
  reserve(user: SlotUser, max: number, signal: AbortSignal): Promise<number> {
    if (signal.aborted) return Promise.resolve(0);
    return new Promise((resolve) => {
      const leave = (): void => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        resolve(0);
      };
      const take = (count: number): void => {
        signal.removeEventListener('abort', leave);
        resolve(count);
      };
      const waiter = { user, max, take, passed: 0 };
      signal.addEventListener('abort', leave, { once: true });
      this.waiters.push(waiter);
      this.serveSoon();
    });
  }

  /** `first`: whose turn it is before all others in line, until one of them was passed over too often. */
  release(count: number, first?: SlotUser): void {
    this.free += count;
    const at = this.waiters.findIndex(({ user }) => user === first);
    const before = this.waiters.slice(0, Math.max(at, 0));
    if (before.every(({ passed }) => passed < TURNS)) {
      for (const waiter of before) waiter.passed += 1;
      this.waiters.unshift(...this.waiters.splice(before.length, before.length > 0 ? 1 : 0));
    }
    this.serveSoon();
  }

  /** Whether somebody waits in line who expects tasks. */
  get wanted(): boolean {
    return this.waiters.some(({ user }) => user.eager);
  }

  /** After the present turn: places that one settlement's answer frees together are then taken together. */
  private serveSoon(): void {
    if (this.serving) return;
    this.serving = true;
    setImmediate(() => {
      this.serving = false;
      this.serve();
    });
  }

  private serve(): void {
    while (this.free > 0 && this.waiters.length > 0) {
      const { max, take } = this.waiters.shift()!;
      const count = Math.min(max, this.free);
      this.free -= count;
      take(count);
    }
  }
}
