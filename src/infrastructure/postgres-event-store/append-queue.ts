import {
  type AppendItem,
  type AppendResult,
  EventStoreUnavailable,
} from '../../application/kernel/event-store.port.js';

interface Waiting {
  readonly items: readonly AppendItem[];
  readonly resolve: (results: readonly AppendResult[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Stores the items in one commit and answers one result per item. */
export type Flush = (items: readonly AppendItem[]) => Promise<readonly AppendResult[]>;

/** Bounds how long one commit holds the log lock, and with it how old its events are when they are seen. A larger batch goes alone. */
const MAX_ITEMS = 500;
/** Three to six seconds of enqueues at the rates in docs/performance.md: callers beyond that should try again later. */
const MAX_WAITING = 100_000;

/**
 * So many items are worth a commit of their own while another is in flight: the database takes their parameters in and waits for
 * the log lock, while this process answers the others. Fewer wait, because many small commits cost more than they save.
 */
const OVERLAP_ITEMS = 250;
const MAX_IN_FLIGHT = 2;

/**
 * Individually awaited appends that arrive while a flush is in flight go together in the next one, and each is answered
 * after its commit. The flush in flight is the window: no timer, and an idle store answers at once.
 */
export class AppendQueue {
  private waiting: Waiting[] = [];
  private waitingItems = 0;
  private inFlight = 0;
  private starting = false;

  constructor(private readonly flush: Flush) {}

  append(items: readonly AppendItem[]): Promise<readonly AppendResult[]> {
    if (this.waitingItems + items.length > MAX_WAITING) {
      return Promise.reject(new EventStoreUnavailable('Expected to take the append, but too many wait already'));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ items, resolve, reject });
      this.waitingItems += items.length;
      this.startSoon();
    });
  }

  /** At the end of the turn, so that appends of the same turn go together. */
  private startSoon(): void {
    if (this.starting || !this.mayStart()) return;
    this.starting = true;
    queueMicrotask(() => {
      this.starting = false;
      if (this.mayStart()) void this.run();
    });
  }

  private mayStart(): boolean {
    if (this.inFlight === 0) return this.waiting.length > 0;
    return this.inFlight < MAX_IN_FLIGHT && this.waitingItems >= OVERLAP_ITEMS;
  }

  private async run(): Promise<void> {
    this.inFlight++;
    const batch = this.takeBatch();
    const answer = await this.flushBatch(batch);
    this.inFlight--;
    if (!this.mayStart()) return answer();
    // Start the database's work first: callers continue in the same turn of the event loop and keep this process busy for long.
    void this.run();
    setImmediate(answer);
  }

  private async flushBatch(batch: readonly Waiting[]): Promise<() => void> {
    try {
      const results = await this.flush(batch.flatMap(({ items }) => items));
      return () => hand(results, batch);
    } catch (error) {
      // One caller's bad data is not its neighbours' failure.
      if (batch.length > 1 && !(error instanceof EventStoreUnavailable)) return this.flushEach(batch);
      return () => batch.forEach(({ reject }) => reject(error));
    }
  }

  private async flushEach(batch: readonly Waiting[]): Promise<() => void> {
    const answers: (() => void)[] = [];
    for (const one of batch) answers.push(await this.flushBatch([one]));
    return () => answers.forEach((answer) => answer());
  }

  /** In order of arrival, up to the size; a stream or an idempotency key twice waits for the next one. */
  private takeBatch(): Waiting[] {
    const taken = new Set<string>();
    let count = 0;
    let size = 0;
    for (const { items } of this.waiting) {
      if (size > 0 && (size + items.length > MAX_ITEMS || items.some((item) => meets(taken, item)))) break;
      if (items.some(goesAlone)) {
        if (size === 0) [count, size] = [1, items.length];
        break;
      }
      items.forEach((item) => take(taken, item));
      size += items.length;
      count++;
    }
    this.waitingItems -= size;
    return this.waiting.splice(0, count);
  }
}

function hand(results: readonly AppendResult[], batch: readonly Waiting[]): void {
  let from = 0;
  for (const { items, resolve } of batch) resolve(results.slice(from, (from += items.length)));
}

/**
 * The later append to a stream must see the earlier one's revision. The later one under an idempotency key must not be answered
 * with the earlier one before that is stored: a constraint may yet refuse it.
 */
function meets(taken: ReadonlySet<string>, { stream, conditions }: AppendItem): boolean {
  return (
    taken.has(stream) || (conditions?.idempotencyKey !== undefined && taken.has(keyName(conditions.idempotencyKey.key)))
  );
}

function take(taken: Set<string>, { stream, conditions }: AppendItem): void {
  taken.add(stream);
  if (conditions?.idempotencyKey) taken.add(keyName(conditions.idempotencyKey.key));
}

/** No stream's name begins with a space. */
const keyName = (key: string): string => ` ${key}`;

/** A queue's change is decided with the queue's tasks in view: those of the same commit would not have been. */
const goesAlone = ({ stream }: AppendItem): boolean => stream.startsWith('queue-');
