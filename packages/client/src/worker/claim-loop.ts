import type { ClaimedTask, WorkerLabels } from '@waybill/contracts';
import { uuidv7 } from 'uuidv7';
import { pause, type Clock } from '../clock.js';
import { WaybillError } from '../problems.js';
import type { QueueHandle } from '../queue-handle.js';
import { backoffMs, isTransient } from '../retry.js';
import type { WorkerEvents } from './worker-events.js';
import type { SlotUser, Slots } from './slots.js';
import { NoTurn, type Turn } from './turn.js';

export interface ClaimPlan {
  readonly queue: QueueHandle;
  /** How every claim identifies the claimant. */
  readonly claimant: {
    readonly worker: string;
    readonly server: string;
    readonly build?: string;
    readonly offers?: WorkerLabels;
    readonly leaseMs?: number;
    readonly steps?: string[];
  };
  readonly slots: Slots;
  /** The most tasks that one claim asks for. */
  readonly prefetch: number;
  /** How long a claim waits for a task. */
  readonly waitMs: number;
  /** Whether no other queue can need the slots while a long poll holds them. */
  readonly alone: boolean;
  readonly clock: Clock;
  readonly events: WorkerEvents;
  /** Takes over the tasks and their slots, and releases the slots afterwards. */
  readonly begin: (claimedTasks: readonly ClaimedTask[], loop: SlotUser) => void;
  readonly giveBack: (claimedTasks: readonly ClaimedTask[]) => Promise<void>;
}

const BACKOFF = { baseMs: 200, capMs: 30_000 };
/** A queue that does not exist may be defined at any time, so it is looked for more often. */
const LOOK = { baseMs: 200, capMs: 5_000 };

/** How long stopping waits to learn which tasks an interrupted poll got. */
const RECALL_MS = 2_000;

/**
 * Claims tasks of one queue as slots become free, until its signal aborts. If several queues share the slots, a queue
 * that had no tasks waits with only one slot, and with none while another queue can use it. A slot whose task has ended
 * goes to its own queue first, and to the next one if that has no more tasks.
 */
export class ClaimLoop implements SlotUser {
  private dry = false;
  /** How often in a row the service refused to give out tasks of the queue. */
  private refusals = 0;

  constructor(private readonly plan: ClaimPlan) {}

  get eager(): boolean {
    return !this.dry;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { slots, alone, prefetch, waitMs, begin, giveBack } = this.plan;
    while (!signal.aborted) {
      const { count, turn } = await slots.reserve(this, this.dry && !alone ? 1 : prefetch, signal);
      if (count === 0 || signal.aborted) return turn?.decline();
      // A waiting claim keeps its slots, so it must not wait while another queue can use them.
      const waits = turn === null && (alone || (this.dry && !slots.wanted));
      const claimed = await this.claim({ max: count, waitMs: waits ? waitMs : 0 }, turn, signal);
      if (claimed === 'no turn') {
        slots.release(count);
        continue;
      }
      const claimedTasks = claimed instanceof WaybillError ? [] : claimed;
      slots.release(count - claimedTasks.length);
      this.dry = claimedTasks.length === 0;
      if (claimed instanceof WaybillError) await this.restAfter(claimed, signal);
      else this.refusals = 0;
      if (signal.aborted) await giveBack(claimedTasks);
      else begin(claimedTasks, this);
    }
  }

  /**
   * Repeats the claim until it is answered. If its outcome is unknown, the repetition has the same id and gets the same
   * tasks. Returns a refusal, which concerns this queue alone, so that it does not keep the slots from others. The first
   * time it goes with the settlements of a turn, if there is one; `no turn` if that was not taken.
   */
  private async claim(
    request: { max: number; waitMs: number },
    turn: Turn | null,
    signal: AbortSignal,
  ): Promise<readonly ClaimedTask[] | WaybillError | 'no turn'> {
    const claimId = uuidv7();
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        if (turn !== null && failures === 1) return await this.askInTurn({ max: request.max, claimId }, turn);
        return await this.ask({ ...request, claimId }, signal);
      } catch (error) {
        if (error instanceof NoTurn) return 'no turn';
        if (signal.aborted) break;
        if (error instanceof WaybillError && error.status < 500 && !isTransient(error)) return error;
        await this.hesitate(error, failures, signal);
      }
    }
    return await this.recall({ ...request, claimId });
  }

  private ask(request: { max: number; waitMs: number; claimId: string }, signal?: AbortSignal, timeoutMs?: number) {
    const options = { retry: { attempts: 1 }, signal, timeoutMs };
    return this.plan.queue.claim({ ...this.plan.claimant, ...request }, options);
  }

  private askInTurn(request: { max: number; claimId: string }, turn: Turn): Promise<readonly ClaimedTask[]> {
    const { queue, claimant } = this.plan;
    return turn.take({ queue: queue.name, request: { ...claimant, ...request } });
  }

  /** The tasks that an interrupted poll got, if any, so that they can be returned at once. */
  private async recall(request: { max: number; claimId: string }): Promise<readonly ClaimedTask[]> {
    try {
      return await this.ask({ ...request, waitMs: 0 }, undefined, RECALL_MS);
    } catch (error) {
      this.plan.events.tell('unavailable', { doing: 'claim', error, retryInMs: null });
      return [];
    }
  }

  /** That there is no such queue is told once, however long it takes until somebody defines it. */
  private async restAfter(refusal: WaybillError, signal: AbortSignal): Promise<void> {
    const isMissing = refusal.code === 'QUEUE_NOT_FOUND';
    const retryInMs = backoffMs(isMissing ? LOOK : BACKOFF, ++this.refusals, refusal, this.plan.clock);
    if (!isMissing || this.refusals === 1)
      this.plan.events.tell('unavailable', { doing: 'claim', error: refusal, retryInMs });
    await pause(this.plan.clock, retryInMs, signal);
  }

  private async hesitate(error: unknown, failures: number, signal: AbortSignal): Promise<void> {
    const cause = error instanceof WaybillError ? error : (error as Error).cause;
    const retryInMs = backoffMs(BACKOFF, failures, cause, this.plan.clock);
    this.plan.events.tell('unavailable', { doing: 'claim', error, retryInMs });
    await pause(this.plan.clock, retryInMs, signal);
  }
}
