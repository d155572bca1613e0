import { Verdict } from './verdicts.js';

/** How long a task waits that nobody here can run: longer each time, so that a worker that can run it finds it soon at first. */
const BASE_MS = 1_000;
const CAP_MS = 300_000;

/** The most tasks whose turns are remembered. Beyond that, the oldest begin anew. */
const MOST = 10_000;

/** Gives a task back that another worker may be able to run. No attempt is spent. */
export class NotServed extends Verdict {
  constructor(
    readonly reason: string,
    readonly afterMs: number,
    readonly unknownKind: boolean,
  ) {
    super({ type: 'return', afterMs, ...(unknownKind && { unknownKind }) });
  }
}

/** Remembers how often each task was given back. */
export class Unserved {
  private readonly turns = new Map<string, number>();

  /** `unknownKind`: no task of its kind could be run here. */
  giveBack(taskId: string, reason: string, { unknownKind = false } = {}): NotServed {
    const turns = this.turns.get(taskId) ?? 0;
    this.turns.delete(taskId);
    this.turns.set(taskId, turns + 1);
    if (this.turns.size > MOST) this.turns.delete(this.turns.keys().next().value!);
    return new NotServed(reason, Math.min(CAP_MS, BASE_MS * 2 ** turns), unknownKind);
  }
}
