interface Waiting {
  readonly id: string;
  readonly priority: number;
}

interface Value {
  readonly waits: Waiting[];
  /** Its virtual time: when its next turn begins. */
  at: number;
}

/** All weights of the tests divide it, so that equal times are equal. */
const TURN = 60;

/**
 * What start-time fair queueing (Goyal, Vin and Cheng 1996) allows a claim to take: the next turn has a value whose virtual time is the least of those
 * that wait, and moves it on by the inverse of its weight. A value that begins to wait starts no earlier than the last turn. Within a value, the highest
 * priority comes first, then the first in line. Between equal times any order is right.
 */
export class WeightedTurns {
  private readonly values = new Map<string, Value>();
  private now = 0;

  constructor(private readonly weights: Readonly<Record<string, number>>) {}

  get waiting(): number {
    return [...this.values.values()].reduce((sum, { waits }) => sum + waits.length, 0);
  }

  enqueue(name: string, task: Waiting): void {
    const value = this.values.get(name) ?? { waits: [], at: 0 };
    this.values.set(name, value);
    if (value.waits.length === 0) value.at = Math.max(value.at, this.now);
    const behind = value.waits.findIndex(({ priority }) => priority < task.priority);
    value.waits.splice(behind < 0 ? value.waits.length : behind, 0, task);
  }

  /** Takes these tasks, in whatever order they have turns. Returns null, or what has a turn before one of them. */
  take(ids: readonly string[]): string | null {
    const left = new Set(ids);
    while (left.size > 0) {
      const turns = this.nextTurns();
      const taken = turns.find(([, { waits }]) => left.has(waits[0]!.id));
      if (!taken) return `${turns.map(([name]) => name).join(' or ')} before ${[...left].join(', ')}`;
      const [name, value] = taken;
      left.delete(value.waits.shift()!.id);
      this.now = value.at;
      value.at += TURN / (this.weights[name] ?? 1);
    }
    return null;
  }

  private nextTurns(): [string, Value][] {
    const waiting = [...this.values].filter(([, { waits }]) => waits.length > 0);
    const first = Math.min(...waiting.map(([, { at }]) => at));
    return waiting.filter(([, { at }]) => at === first);
  }
}
