import {
  type AppendItem,
  type AppendResult,
  EventStoreUnavailable,
} from '../../application/kernel/event-store.port.js';
import type { FlushResult } from './append-results.js';

interface Waiting {
  readonly items: readonly AppendItem[];
  readonly resolve: (results: readonly AppendResult[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Stores the items in one commit and returns one result per item. */
export type Flush = (items: readonly AppendItem[]) => Promise<readonly FlushResult[]>;

/**
 * Bounds how long one commit holds the log lock, and so the age at which its events become visible. A larger append
 * goes alone.
 */
const MAX_ITEMS = 500;
/** Three to six seconds of enqueues at the rates in docs/performance.md. Callers beyond that should try again later. */
const MAX_WAITING = 100_000;

/**
 * With at least this many items waiting, a second commit starts while one is in flight: the database reads its
 * parameters and waits for the log lock while this process answers the first one's callers. Fewer items wait, because
 * many small commits cost more than they save.
 */
const OVERLAP_ITEMS = 250;
const MAX_IN_FLIGHT = 2;

/**
 * Collects the appends that arrive while a flush is in flight and stores them with the next one. Each is answered after
 * its commit. The flush in flight is the batching window, so there is no timer, and an idle store answers at once. An append
 * that a flush puts off goes alone, in turn with the flushes of others.
 */
export class AppendQueue {
  private waiting: Waiting[] = [];
  private waitingItems = 0;
  private readonly putOff: Waiting[] = [];
  private wentAlone = false;
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

  /** Starts at the end of the turn, so that appends of the same turn share a flush. */
  private startSoon(): void {
    if (this.starting || !this.mayStart()) return;
    this.starting = true;
    queueMicrotask(() => {
      this.starting = false;
      if (this.mayStart()) void this.run();
    });
  }

  private mayStart(): boolean {
    if (this.inFlight === 0) return this.waiting.length + this.putOff.length > 0;
    return this.inFlight < MAX_IN_FLIGHT && this.waitingItems >= OVERLAP_ITEMS;
  }

  private async run(): Promise<void> {
    this.inFlight++;
    const batch = this.takePutOff() ?? this.takeBatch();
    const answer = await this.flushBatch(batch);
    this.inFlight--;
    if (!this.mayStart()) return answer();
    // Starts the database's work first, because the answered callers continue in the same turn of the event loop and
    // keep this process busy.
    void this.run();
    setImmediate(answer);
  }

  private async flushBatch(batch: readonly Waiting[]): Promise<() => void> {
    try {
      const results = await this.flush(batch.flatMap(({ items }) => items));
      return areAnswers(results) ? () => hand(results, batch) : this.answerPart(results, batch);
    } catch (error) {
      // One caller's bad data must not fail the others of its batch.
      if (batch.length > 1 && !(error instanceof EventStoreUnavailable)) return this.flushEach(batch);
      return () => batch.forEach(({ reject }) => reject(error));
    }
  }

  private async flushEach(batch: readonly Waiting[]): Promise<() => void> {
    const answers: (() => void)[] = [];
    for (const one of batch) answers.push(await this.flushBatch([one]));
    return () => answers.forEach((answer) => answer());
  }

  private answerPart(results: readonly FlushResult[], batch: readonly Waiting[]): () => void {
    let from = 0;
    const answers: (() => void)[] = [];
    for (const one of batch) {
      const own = results.slice(from, (from += one.items.length));
      if (areAnswers(own)) answers.push(() => one.resolve(own));
      else this.putOffRest(own, one);
    }
    return () => answers.forEach((answer) => answer());
  }

  /**
   * Tries all of the append again that was not stored, because it may build on the part that was put off. The caller gets one answer for
   * all.
   */
  private putOffRest(results: readonly FlushResult[], { items, resolve, reject }: Waiting): void {
    const open = items.flatMap((_, at) => (results[at]!.kind === 'appended' ? [] : [at]));
    const all = [...results];
    this.waitingItems += open.length;
    this.putOff.push({
      items: open.map((at) => items[at]!),
      resolve: (later) => {
        open.forEach((at, place) => (all[at] = later[place]!));
        resolve(all as AppendResult[]);
      },
      reject,
    });
  }

  /** Alternates with the others, so that neither waits for long. */
  private takePutOff(): Waiting[] | null {
    this.wentAlone = this.putOff.length > 0 && (this.waiting.length === 0 || !this.wentAlone);
    if (!this.wentAlone) return null;
    this.waitingItems -= this.putOff[0]!.items.length;
    return this.putOff.splice(0, 1);
  }

  /**
   * Takes appends in order of arrival, up to the maximum. A second append to the same stream, or under the same
   * idempotency key, waits for the next batch.
   */
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

const areAnswers = (results: readonly FlushResult[]): results is readonly AppendResult[] =>
  results.every(({ kind }) => kind !== 'put-off');

/**
 * The later of two appends to a stream must see the earlier one's revision. The later of two under one idempotency key
 * must not be answered with the earlier one before that is stored, because a constraint may still refuse it.
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

/** Begins with a space, as no stream's name does, so that keys and streams cannot collide. */
const keyName = (key: string): string => ` ${key}`;

/** Such a change was decided on the current tasks of a queue or batch, and other items of the commit could change those. */
const goesAlone = ({ stream }: AppendItem): boolean => stream.startsWith('queue-') || stream.startsWith('batch-');
