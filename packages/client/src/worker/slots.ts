import type { Turn } from './turn.js';

/** A user of slots: the claim loop of a queue. */
export interface SlotUser {
  /** Whether it expects tasks: its last claim got some. */
  readonly eager: boolean;
}

/** The slot of a task, from its claim until the service has answered its last report. */
export class Slot {
  /** Whether a claim that was sent with the report has it already. */
  lent = false;
  /** Whether a handler runs in it. */
  running = false;

  constructor(readonly user: SlotUser) {}
}

/** Slots to claim for. `turn`: the claim goes with the reports of the tasks that still have some of them. */
export interface Reserved {
  readonly count: number;
  readonly turn: Turn | null;
}

interface Waiter {
  readonly user: SlotUser;
  readonly max: number;
  readonly take: (count: number, turn: Turn | null) => void;
  /** How often a later user was served first. */
  passed: number;
}

/** The most tasks that a queue may run one after the other in a slot that another queue waits for. */
const TURNS = 10;

/**
 * One slot for each task that may be held at once. A slot is reserved before its task is claimed. `ahead`: how many more
 * may be claimed in turns, whose handlers begin when others end.
 */
export class Slots {
  private waiters: Waiter[] = [];
  private held = 0;
  private serving = false;

  constructor(
    readonly size: number,
    private readonly ahead: () => number = () => 0,
  ) {}

  /** Reserves up to `max` slots, waiting in line for the first one. Reserves none if the signal aborts. */
  reserve(user: SlotUser, max: number, signal: AbortSignal): Promise<Reserved> {
    if (signal.aborted) return Promise.resolve({ count: 0, turn: null });
    return new Promise((resolve) => {
      const leave = (): void => {
        this.waiters.splice(this.waiters.indexOf(waiter), 1);
        resolve({ count: 0, turn: null });
      };
      const take = (count: number, turn: Turn | null): void => {
        signal.removeEventListener('abort', leave);
        resolve({ count, turn });
      };
      const waiter = { user, max, take, passed: 0 };
      signal.addEventListener('abort', leave, { once: true });
      this.waiters.push(waiter);
      this.serveSoon();
    });
  }

  /**
   * Serves one in line at once, with these slots besides those that are free: they become free with the answer to the turn.
   * Whatever the answer is, each is released once. False if nobody can use them.
   */
  lend(slots: readonly Slot[], turn: Turn): boolean {
    const count = this.size + this.ahead() - this.held + slots.length;
    if (this.waiters.length === 0 || count <= 0) return false;
    for (const slot of slots) {
      this.prefer(slot.user);
      slot.lent = true;
    }
    this.give(count, turn);
    return true;
  }

  /** `from`: its user is served before all others in line, unless one of them has been passed over too often. */
  release(count: number, from?: Slot): void {
    this.held -= count;
    // Who uses a slot that was lent has been served already.
    if (from && !from.lent) this.prefer(from.user);
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

  private prefer(first: SlotUser): void {
    const at = this.waiters.findIndex(({ user }) => user === first);
    const before = this.waiters.slice(0, Math.max(at, 0));
    if (!before.every(({ passed }) => passed < TURNS)) return;
    for (const waiter of before) waiter.passed += 1;
    this.waiters.unshift(...this.waiters.splice(before.length, before.length > 0 ? 1 : 0));
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
    while (this.held < this.size && this.waiters.length > 0) this.give(this.size - this.held, null);
  }

  private give(free: number, turn: Turn | null): void {
    const { max, take } = this.waiters.shift()!;
    const count = Math.min(max, free);
    this.held += count;
    take(count, turn);
  }
}
