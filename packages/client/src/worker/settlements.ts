import type { Receipt, SettleItem, SettleResult, TaskStatus } from '@waybill/contracts';
import type { Caller } from '../caller.js';
import { pause } from '../clock.js';
import { WaybillError, WaybillUnavailable } from '../problems.js';
import { backoffMs, isTransient } from '../retry.js';
import { chunks } from '../submissions.js';
import type { NoticeBoard } from './notices.js';

export type Settled = Receipt & { readonly state: TaskStatus };

interface Pending {
  readonly item: SettleItem;
  readonly resolve: (settled: Settled) => void;
  readonly reject: (error: unknown) => void;
}

const BACKOFF = { baseMs: 100, capMs: 10_000 };

/**
 * Tells the service what became of tasks, in batches: while one call is in flight the next items gather, so that the
 * flight is the window and no timer is needed. An item whose outcome is unknown is sent again; its token makes the
 * repetition harmless.
 */
export class Settlements {
  private waiting: Pending[] = [];
  private flushing = false;
  private failures = 0;
  private readonly ended = new AbortController();

  constructor(
    private readonly caller: Caller,
    private readonly notices: NoticeBoard,
  ) {}

  /** Resolves when the service has accepted the item and rejects with its refusal; neither after `end`. */
  settle(item: SettleItem): Promise<Settled> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
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
    // The handlers that end in this very turn travel together.
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

  /** Answers with the items that must be sent again, after the pause that their failure calls for. */
  private async send(batch: Pending[]): Promise<Pending[]> {
    try {
      const body = { items: batch.map(({ item }) => item) };
      const options = { retry: { attempts: 1 }, signal: this.ended.signal };
      const { results } = await this.caller.call('settleTasks', { body }, options);
      const unanswered = batch.filter((pending, index) => !answered(pending, results[index]));
      if (unanswered.length > 0) await this.hesitate(new Error('the service is busy'));
      else this.failures = 0;
      return unanswered;
    } catch (error) {
      if (this.ended.signal.aborted) return batch;
      if (!(error instanceof WaybillUnavailable)) return await this.sendEach(batch, error);
      await this.hesitate(error);
      return batch;
    }
  }

  /** A batch that is refused as a whole has a bad item: each goes alone, so that one does not spoil the others. */
  private async sendEach(batch: Pending[], refusal: unknown): Promise<Pending[]> {
    if (batch.length === 1) {
      batch[0]!.reject(refusal);
      return [];
    }
    const unanswered: Pending[] = [];
    for (const pending of batch) unanswered.push(...(await this.send([pending])));
    return unanswered;
  }

  private async hesitate(error: Error): Promise<void> {
    const { clock } = this.caller.config;
    const retryInMs = backoffMs(BACKOFF, ++this.failures, error.cause, clock);
    this.notices.tell('unavailable', { doing: 'settle', error, retryInMs });
    await pause(clock, retryInMs, this.ended.signal);
  }
}

/** Passes an item's answer on; false where it is "not now". */
function answered({ item, resolve, reject }: Pending, result: SettleResult | undefined): boolean {
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
  reject(refusal);
  return true;
}
