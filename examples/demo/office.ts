import type { EnqueueOutcome, NewTask, QueueStats, Waybill } from '@waybill/client';
import { count } from '@waybill/client/words';
import { setTimeout as pause } from 'node:timers/promises';
import { DemoError } from './options.js';
import { ARCHIVE_QUEUES } from './queues/archive-queues.js';
import type { ArchiveQueue } from './queues/queue.js';
import { doneOf, type Tally, tallyOf } from './tally.js';

/** The outcome of a queue's tasks in one run. */
export interface QueueFigures {
  readonly queue: string;
  /** What the queue demonstrates. */
  readonly shows: string;
  readonly succeeded: number;
  readonly failed: number;
  /** Failed attempts that were followed by another one. */
  readonly retries: number;
  /** Tasks that still wait or run. */
  readonly open: number;
  /** The due time of the task that waits for it. */
  readonly nextAt: string | null;
}

/** How long the end of the demo waits for the other queues. Somebody may have paused one. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 200;

/** The archive's other queues: what is enqueued to them while files are catalogued, and the outcome. */
export class Office {
  private readonly handedIn = new Map<ArchiveQueue, number>();
  private position: string | undefined;

  private constructor(
    private readonly waybill: Waybill,
    private readonly before: ReadonlyMap<string, QueueStats>,
  ) {}

  /** Creates the queues, or updates those of an earlier version. */
  static async define(waybill: Waybill): Promise<void> {
    for (const { name, policy, description } of ARCHIVE_QUEUES)
      await waybill.queue(name).define(policy, { description, replace: true });
  }

  /** Starts counting. `minPosition`: tasks before it do not count. */
  static async open(waybill: Waybill, minPosition: string): Promise<Office> {
    const stats = ARCHIVE_QUEUES.map(
      async ({ name }) => [name, await waybill.queue(name).stats({ minPosition })] as const,
    );
    return new Office(waybill, new Map(await Promise.all(stats)));
  }

  async begin(): Promise<void> {
    for (const queue of ARCHIVE_QUEUES) await this.handIn(queue, queue.atStart);
  }

  async handInFor(paths: readonly string[]): Promise<void> {
    for (const queue of ARCHIVE_QUEUES) await this.handIn(queue, queue.forFiles(paths, this.handedIn.get(queue) ?? 0));
  }

  /** The progress of the queues that have ready tasks, in words. */
  async words(): Promise<string[]> {
    const tallies = await this.tallies();
    return tallies
      .filter(({ queue, tally }) => !hasDueTimes(queue) && doneOf(tally) + tally.open > 0)
      .map(({ queue, tally }) => `${queue.name} ${count(doneOf(tally))} of ${count(doneOf(tally) + tally.open)}`);
  }

  /** Resolves when they have no ready task left, or after half a minute. */
  async settled(signal: AbortSignal, onLook: (words: readonly string[]) => void): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    while (performance.now() < until) {
      const tallies = await this.tallies();
      if (tallies.every(({ queue, tally }) => hasDueTimes(queue) || tally.open === 0)) return;
      onLook(await this.words());
      await pause(LOOK_MS, null, { signal });
    }
  }

  async figures(): Promise<QueueFigures[]> {
    const tallies = await this.tallies();
    return Promise.all(
      tallies.map(async ({ queue, tally }) =>
        figuresOf(queue.name, queue.shows, tally, hasDueTimes(queue) ? await this.nextOf(queue.name) : null),
      ),
    );
  }

  private async tallies(): Promise<{ readonly queue: ArchiveQueue; readonly tally: Tally }[]> {
    return Promise.all(
      ARCHIVE_QUEUES.map(async (queue) => {
        const stats = await this.waybill.queue(queue.name).stats({ minPosition: this.position });
        return { queue, tally: tallyOf(this.before.get(queue.name)!, stats) };
      }),
    );
  }

  private async nextOf(queue: string): Promise<string | null> {
    const { items } = await this.waybill.tasks.page({ queue, state: 'pending' }, { limit: 1 });
    return items[0]?.dueAt ?? null;
  }

  private async handIn(queue: ArchiveQueue, tasks: readonly NewTask[]): Promise<void> {
    if (tasks.length === 0) return;
    const outcomes = await this.waybill.queue(queue.name).enqueueMany(tasks);
    this.position = outcomes.map((outcome) => positionOf(queue.name, outcome)).at(-1);
    this.handedIn.set(queue, (this.handedIn.get(queue) ?? 0) + tasks.length);
  }
}

const hasDueTimes = ({ policy }: ArchiveQueue): boolean => policy.dueTimes !== undefined;

function positionOf(queue: string, outcome: EnqueueOutcome): string {
  if ('problem' in outcome) throw new DemoError(`Expected '${queue}' to take a task, but: ${outcome.problem.detail}.`);
  return outcome.position;
}

export function figuresOf(queue: string, shows: string, tally: Tally, nextAt: string | null): QueueFigures {
  const { succeeded, failed, failuresByClass, open } = tally;
  const failures = Object.values(failuresByClass).reduce((sum, some) => sum + some, 0);
  return { queue, shows, succeeded, failed, retries: Math.max(0, failures - failed), open, nextAt };
}
