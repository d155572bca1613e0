import type { Settlement, SettleMany, SettleItem, SettleResult } from '@waybill/contracts';
import type { Caller } from '../caller.js';
import { pause } from '../clock.js';
import { WaybillError, WaybillUnavailable } from '../problems.js';
import { backoffMs, isTransient } from '../retry.js';
import { chunks } from '../submissions.js';
import { MOST_WAITING, tooManyWaiting } from '../waiting.js';
import type { Slot, Slots } from './slots.js';
import { NoTurn, Turn, type TurnClaim } from './turn.js';
import type { WorkerEvents } from './worker-events.js';

interface Pending {
  readonly item: SettleItem;
  /** The slot that the answer frees. */
  readonly slot: Slot | null;
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
 *
 * Reports that free slots are sent together with the claim that waits for them, in a turn.
 */
export class Settlements {
  private waiting: Pending[] = [];
  private flushing = false;
  private failures = 0;
  private readonly ended = new AbortController();
  /** Whether the service knows turns. One of an earlier version does not, and is not asked again. */
  private knowsTurns = true;

  constructor(
    private readonly caller: Caller,
    private readonly events: WorkerEvents,
    /** Absent if nothing is claimed for what is settled. */
    private readonly slots?: Slots,
  ) {}

  /**
   * Resolves when the service has accepted the item. Rejects with its refusal, or as unavailable, also if `MOST_WAITING`
   * others wait to be sent. After `end` it does neither.
   */
  settle(item: SettleItem, slot: Slot | null = null): Promise<Settlement> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length >= MOST_WAITING) throw tooManyWaiting('settleTasks', { body: { items: [item] } });
      this.waiting.push({ item, slot, resolve, reject, failures: 0 });
      void this.caller.config.telemetry.detached(() => this.flush());
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
      const batch = this.take();
      const unanswered = (await this.sendInTurn(batch)) ?? (await this.send(batch));
      this.waiting.unshift(...unanswered);
      // What was answered frees its slots, and queues claim again, so that what ended meanwhile can go with a claim.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.flushing = false;
  }

  private take(): Pending[] {
    const [first = []] = chunks(this.waiting.map(({ item }) => item));
    return this.waiting.splice(0, first.length);
  }

  /**
   * As `send`, together with the claim that waits for the slots of these tasks; null if none does. Not after a failure:
   * tasks are claimed for slots that are free as soon as the service answers, and it must not be asked for more and more.
   */
  private async sendInTurn(batch: Pending[]): Promise<Pending[] | null> {
    const slots = batch.flatMap(({ slot }) => (slot === null || slot.lent ? [] : slot));
    if (!this.knowsTurns || this.failures > 0 || slots.length === 0) return null;
    const turn = new Turn();
    if (!this.slots?.lend(slots, turn)) return null;
    const claim = await turn.claim;
    if (claim === null) return null;
    const unanswered = await this.takeTurn(batch, claim, turn);
    if (unanswered === null) for (const slot of slots) slot.lent = false;
    return unanswered;
  }

  private async takeTurn(batch: Pending[], { queue, request }: TurnClaim, turn: Turn): Promise<Pending[] | null> {
    try {
      const input = { path: { queue }, body: { ...request, ...bodyOf(batch) } };
      const answer = await this.caller.call('takeTurn', input, this.once());
      turn.answer(answer);
      return await this.hear(batch, answer.results);
    } catch (error) {
      const isRefused = !(error instanceof WaybillUnavailable) && !this.ended.signal.aborted;
      // Nobody is left to claim for.
      if (this.ended.signal.aborted) turn.answer({ tasks: [] });
      else turn.fail(isRefused ? new NoTurn() : error);
      if (!isRefused) return this.failed(batch, error);
      if (isUnknownPath(error)) this.knowsTurns = false;
      return null;
    }
  }

  /** Returns the items that must be sent again, after the pause that their failure requires. */
  private async send(batch: Pending[]): Promise<Pending[]> {
    try {
      const { results } = await this.caller.call('settleTasks', { body: bodyOf(batch) }, this.once());
      return await this.hear(batch, results);
    } catch (error) {
      return this.failed(batch, error);
    }
  }

  private once() {
    return { retry: { attempts: 1 }, signal: this.ended.signal };
  }

  private async hear(batch: Pending[], results: readonly SettleResult[]): Promise<Pending[]> {
    const unanswered = batch.filter((pending, index) => !this.answered(pending, results[index]));
    if (unanswered.length > 0) await this.hesitate(new Error('the service is busy'), ++this.failures);
    else this.failures = 0;
    return unanswered;
  }

  private async failed(batch: Pending[], error: unknown): Promise<Pending[]> {
    if (this.ended.signal.aborted) return batch;
    if (!(error instanceof WaybillUnavailable)) return await this.sendEach(batch, error);
    await this.hesitate(error, ++this.failures);
    return batch;
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

const bodyOf = (batch: readonly Pending[]): SettleMany => ({ items: batch.map(({ item }) => item) });

/** Also a proxy that passes on known paths alone. Of a queue that does not exist, a turn says so in its answer. */
const isUnknownPath = (error: unknown): boolean =>
  error instanceof WaybillError && (error.status === 404 || error.status === 405);

function givenUp(item: SettleItem, failure: WaybillError): WaybillUnavailable {
  const input = { body: { items: [item] } };
  const lost = { operation: 'settleTasks', input, requestId: failure.traceId ?? '', attempts: FAILURES } as const;
  return new WaybillUnavailable(lost, 'unknown', failure);
}
