import type { Settlement, SettleItem, SettleResult } from '@waybill/contracts';
import type { Caller } from '../caller.js';
import { pause } from '../clock.js';
import { WaybillError, WaybillUnavailable } from '../problems.js';
import { backoffMs, isTransient } from '../retry.js';
import { chunks } from '../submissions.js';
import { MOST_WAITING, tooManyWaiting } from '../waiting.js';
import type { WorkerEvents } from './worker-events.js';

interface Pending {
  readonly item: SettleItem;
  readonly resolve: (settled: Settlement) => void;
  readonly reject: (error: unknown) => void;
  /** How often the service failed with this item. */
  failures: number;
}

const BACKOFF = { baseMs: 100, capMs: 10_000 };

/** After so many failures of the service with an item, about 10 s, the item is given up. The default lease is 30 s. */
const FAILURES = 8;

/**
 * Reports outcomes of tasks to the service in batches. While one call is in flight, the next items gather, so no timer
 * is needed. An item whose outcome is unknown is sent again, which its token makes harmless. If the service itself
 * fails (500), it may fail forever, so the number of retries is limited.
 */
export class Settlements {
  private waiting: Pending[] = [];
  private flushing = false;
  private failures = 0;
  private readonly ended = new AbortController();

  constructor(
    private readonly caller: Caller,
    private readonly events: WorkerEvents,
  ) {}

  /**
   * Resolves when the service has accepted the item. Rejects with its refusal, or as unavailable, also if `MOST_WAITING`
   * others wait to be sent. After `end` it does neither.
   */
  settle(item: SettleItem): Promise<Settlement> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length >= MOST_WAITING) throw tooManyWaiting('settleTasks', { body: { items: [item] } });
      this.waiting.push({ item, resolve, reject, failures: 0 });
      void this.flush();
    });
  }

  /** Sends nothing more. Items without an answer stay without one. */
  end(): void {
    this.ended.abort();
  }

  private async flush(): Promise<void> {
    if (this.flushing) return;
    this.flushing = true;
    // Handlers that end in the same turn of the event loop share a call.
    await Promise.resolve();
    while (this.waiting.length > 0 && !this.ended.signal.aborted) {
      const unanswered = await this.send(this.take());
      this.waiting.unshift(...unanswered);
    }
    this.flushing = false;
  }

  private take(): Pending[] {
    const [first = []] = chunks(this.waiting.map(({ item }) => item));
    return this.waiting.splice(0, first.length);
  }

  /** Returns the items that must be sent again, after the pause that their failure requires. */
  private async send(batch: Pending[]): Promise<Pending[]> {
    try {
      const body = { items: batch.map(({ item }) => item) };
      const options = { retry: { attempts: 1 }, signal: this.ended.signal };
      const { results } = await this.caller.call('settleTasks', { body }, options);
      const unanswered = batch.filter((pending, index) => !this.answered(pending, results[index]));
      if (unanswered.length > 0) await this.hesitate(new Error('the service is busy'), ++this.failures);
      else this.failures = 0;
      return unanswered;
    } catch (error) {
      if (this.ended.signal.aborted) return batch;
      if (!(error instanceof WaybillUnavailable)) return await this.sendEach(batch, error);
      await this.hesitate(error, ++this.failures);
      return batch;
    }
  }

  /**
   * If a batch is refused as a whole, one item is invalid. Sends each item separately, so that it does not affect the
   * others.
   */
  private async sendEach(batch: Pending[], refusal: unknown): Promise<Pending[]> {
    if (batch.length === 1) {
      this.refuse(batch[0]!, refusal);
      return [];
    }
    const unanswered: Pending[] = [];
    for (const pending of batch) unanswered.push(...(await this.send([pending])));
    return unanswered;
  }

  /** Passes on an item's answer. False if the answer is "not now". */
  private answered(pending: Pending, result: SettleResult | undefined): boolean {
    const { item, resolve, reject } = pending;
    if (result === undefined) {
      reject(new Error(`Expected an answer about task '${item.taskId}', but the service gave none`));
      return true;
    }
    if (!('problem' in result)) {
      resolve(result);
      return true;
    }
    const refusal = new WaybillError(result.problem);
    if (isTransient(refusal)) return false;
    this.refuse(pending, refusal);
    return true;
  }

  private refuse(pending: Pending, refusal: unknown): void {
    if (refusal instanceof WaybillError && refusal.status >= 500) void this.askAgain(pending, refusal);
    else pending.reject(refusal);
  }

  /**
   * A failure of the service says nothing about the item. It is retried separately, so that it delays no other, and
   * given up in the end.
   */
  private async askAgain(pending: Pending, failure: WaybillError): Promise<void> {
    if (++pending.failures === FAILURES) return pending.reject(givenUp(pending.item, failure));
    await this.hesitate(failure, pending.failures);
    this.waiting.push(pending);
    await this.flush();
  }

  private async hesitate(error: Error, failures: number): Promise<void> {
    const { clock } = this.caller.config;
    const cause = error instanceof WaybillError ? error : error.cause;
    const retryInMs = backoffMs(BACKOFF, failures, cause, clock);
    this.events.tell('unavailable', { doing: 'settle', error, retryInMs });
    await pause(clock, retryInMs, this.ended.signal);
  }
}

function givenUp(item: SettleItem, failure: WaybillError): WaybillUnavailable {
  const input = { body: { items: [item] } };
  const lost = { operation: 'settleTasks', input, requestId: failure.traceId ?? '', attempts: FAILURES } as const;
  return new WaybillUnavailable(lost, 'unknown', failure);
}
