/** A user of slots: the claim loop of a queue. */
export interface SlotUser {
  /** Whether it expects tasks: its last claim got some. */
  readonly eager: boolean;
}

interface Waiter {
  readonly user: SlotUser;
  readonly max: number;
  readonly take: (count: number) => void;
  /** How often a later user was served first. */
  passed: number;
}

/** The most tasks that a queue may run one after the other in a slot that another queue waits for. */
const TURNS = 10;

/** One slot for each task that may be held at once. A slot is reserved before its task is claimed. */
export class Slots {
  private waiters: Waiter[] = [];
  private free: number;
  private serving = false;

  constructor(readonly size: number) {
    this.free = size;
  }

  /** Reserves up to `max` slots, waiting in line for the first one. Returns 0 if the signal aborts. */
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

  /** `first`: the user to serve before all others in line, unless one of them has been passed over too often. */
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

  /** Frees a slot of a user that has made bad use of it: all others in line are served first. */
  releaseToOthers(user: SlotUser): void {
    const isOwn = (waiter: Waiter): boolean => waiter.user === user;
    this.waiters = [...this.waiters.filter((waiter) => !isOwn(waiter)), ...this.waiters.filter(isOwn)];
    this.release(1);
  }

  /** Whether a user that expects tasks waits in line. */
  get wanted(): boolean {
    return this.waiters.some(({ user }) => user.eager);
  }

  /**
   * Runs after the current turn of the event loop, so that slots that one answer frees together are reserved together.
   */
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
