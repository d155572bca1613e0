import type { ClaimedTask, WorkerLabels } from '@waybill/contracts';
import type { Caller } from '../caller.js';
import { pause } from '../clock.js';
import { QueueHandle } from '../queue-handle.js';
import { Attempt, type Handler, type Office } from './attempt.js';
import { ClaimLoop } from './claim-loop.js';
import { Heartbeat } from './heartbeat.js';
import { ProgressReports } from './progress-reports.js';
import type { WorkerEvents, StopReport } from './worker-events.js';
import { Settlements } from './settlements.js';
import { Slot, Slots, type SlotUser } from './slots.js';
import { Starts } from './starts.js';
import { StuckHandlers } from './stuck-handlers.js';

/** The service's bound: more tasks, or stuck handlers, are refused in a claim. */
export const MOST_OF_A_CLAIM = 1_000;

export interface SessionPlan {
  readonly handlers: ReadonlyMap<string, Handler>;
  readonly claimant: {
    readonly worker: string;
    readonly server: string;
    readonly build?: string;
    readonly offers?: WorkerLabels;
    readonly leaseMs?: number;
  };
  readonly concurrency: number;
  readonly prefetch: number;
  readonly waitMs: number;
  readonly graceMs: number;
  readonly stuckAfterMs: number;
  readonly aheadMs: number;
}

/**
 * The last part of the grace time, in which handlers are told to stop and their reports are answered. It is half of a
 * shorter grace time.
 */
const OBEY_MS = 1_000;

/** How long a claim waits if there are more queues than slots, because it keeps its slot from a queue that has none. */
const CROWDED_WAIT_MS = 1_000;

/** A worker from its start to its stop. */
export class Session implements Office {
  private readonly claiming = new AbortController();
  private readonly slots: Slots;
  private readonly starts: Starts;
  private readonly heartbeat: Heartbeat;
  readonly settlements: Settlements;
  readonly reports: ProgressReports;
  private readonly stuck: StuckHandlers;
  private readonly loops: readonly Promise<void>[];
  private readonly attempts = new Map<Attempt, Promise<void>>();
  private readonly returned: string[] = [];

  constructor(
    readonly caller: Caller,
    readonly events: WorkerEvents,
    private readonly plan: SessionPlan,
  ) {
    const { clock } = caller.config;
    const { concurrency, prefetch, handlers } = plan;
    // What is held ahead for one queue would keep the slots from others.
    const aheadMs = handlers.size === 1 ? plan.aheadMs : 0;
    this.starts = new Starts({ size: concurrency, aheadMs, clock });
    this.slots = new Slots(concurrency, () => Math.min(this.starts.ahead(), prefetch));
    this.heartbeat = new Heartbeat(caller, events);
    this.settlements = new Settlements(caller, events, this.slots);
    this.reports = new ProgressReports(this.heartbeat, clock, events);
    this.stuck = new StuckHandlers({
      slots: this.slots,
      starts: this.starts,
      clock,
      events,
      afterMs: plan.stuckAfterMs,
      tell: (queue, stuck) => this.tellStuck(queue, stuck),
    });
    this.loops = [...plan.handlers].map(([queue, handler]) => this.claimFor(queue, handler));
  }

  /**
   * Stops claiming and returns what was just claimed. Lets handlers finish, then tells them to stop, all within the
   * grace time. Task functions are told at once. Tasks whose handlers do not stop are left to the expiry of their leases: nothing fails because a
   * process ends.
   */
  async stop(): Promise<StopReport> {
    this.claiming.abort();
    this.starts.end();
    for (const attempt of this.attempts.keys()) attempt.windDown();
    const { graceMs } = this.plan;
    const obeyMs = Math.min(OBEY_MS, graceMs / 2);
    await this.within(graceMs - obeyMs, [...this.loops, ...this.attempts.values()]);
    for (const attempt of this.attempts.keys()) attempt.shutDown();
    await this.within(obeyMs, [...this.loops, ...this.attempts.values()]);
    this.settlements.end();
    this.stuck.end();
    this.reports.end();
    this.heartbeat.end();
    return { returned: this.returned, abandoned: [...this.attempts.keys()].map(({ task }) => task) };
  }

  private claimFor(queue: string, handler: Handler): Promise<void> {
    const { claimant, concurrency, prefetch, waitMs, handlers } = this.plan;
    const loop = new ClaimLoop({
      queue: new QueueHandle(this.caller, queue),
      claimant: { ...claimant, ...(handler.steps && { steps: [...handler.steps] }) },
      slots: this.slots,
      prefetch,
      waitMs: handlers.size > concurrency ? Math.min(waitMs, CROWDED_WAIT_MS) : waitMs,
      alone: handlers.size === 1,
      clock: this.caller.config.clock,
      events: this.events,
      begin: (claimedTasks, user) => claimedTasks.forEach((claimedTask) => this.begin(claimedTask, handler, user)),
      giveBack: (claimedTasks) => this.giveBack(claimedTasks),
    });
    return loop.run(this.claiming.signal);
  }

  private begin(claimedTask: ClaimedTask, handler: Handler, user: SlotUser): void {
    const slot = new Slot(user);
    const attempt = new Attempt(claimedTask, this, slot);
    this.heartbeat.add(attempt);
    this.attempts.set(attempt, this.work(attempt, handler, slot));
  }

  /**
   * Begins in the next turn, so that a handler that stops the worker at once finds its own attempt stopped, too. Frees
   * the slot only once the service has answered, so that handlers do not outrun the service.
   */
  private async work(attempt: Attempt, handler: Handler, slot: Slot): Promise<void> {
    await Promise.resolve();
    const freeSlot = this.stuck.watch(attempt, slot);
    const begins = this.starts.enter(slot);
    if (begins === true || ((await begins) && attempt.stopReason === null)) await this.run(attempt, handler, slot);
    else await attempt.leave();
    this.starts.leave(slot);
    this.heartbeat.remove(attempt);
    this.attempts.delete(attempt);
    if (attempt.returned && this.claiming.signal.aborted) this.returned.push(attempt.task.taskId);
    freeSlot();
  }

  private run(attempt: Attempt, handler: Handler, slot: Slot): Promise<void> {
    const { clock } = this.caller.config;
    const since = clock.now();
    return attempt.work(handler, () => this.starts.ended(slot, clock.now() - since));
  }

  /** A claim of no tasks, which says that the worker is there. */
  private async tellStuck(queue: string, stuck: number): Promise<void> {
    const request = { ...this.plan.claimant, max: 0, stuck: Math.min(stuck, MOST_OF_A_CLAIM) };
    try {
      await new QueueHandle(this.caller, queue).claim(request, { retry: { attempts: 1 } });
    } catch (error) {
      this.events.tell('unavailable', { doing: 'claim', error, retryInMs: null });
    }
  }

  /** A refusal means that the lease is lost, and another worker may already have the task. */
  private async giveBack(claimedTasks: readonly ClaimedTask[]): Promise<void> {
    const asked = claimedTasks.map(async ({ taskId, token }) => {
      await this.settlements.settle({ taskId, token, verdict: { type: 'return', unstarted: true } });
      this.returned.push(taskId);
    });
    await Promise.allSettled(asked);
  }

  private async within(ms: number, ends: readonly Promise<void>[]): Promise<void> {
    const over = new AbortController();
    await Promise.race([Promise.all(ends), pause(this.caller.config.clock, ms, over.signal)]);
    over.abort();
  }
}
