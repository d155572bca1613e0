import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Clock } from '../kernel/clock.port.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { EventStore, type RecordedEvent } from '../kernel/event-store.port.js';
import type { LeaderTerm } from '../kernel/leader-term.js';
import { Quarantine } from '../kernel/quarantine.port.js';
import { readEach, UnreadableStream } from '../kernel/unreadable-stream.js';
import { causedBy } from './caused-by.js';

/** A task that waits for an aborted task or batch, or is part of an aborted batch. */
export interface Dependant {
  readonly taskId: string;
  readonly prerequisite: string;
}

/**
 * Aborts the tasks that depend on aborted ones, with the reason, the actor and the correlation id of that abort (S3-26).
 * Returns how many were aborted. A task that several of them lead to is aborted once (S3-28).
 */
export class AbortDependants extends Command<number> {
  constructor(
    readonly dependants: readonly Dependant[],
    readonly term: LeaderTerm,
  ) {
    super();
  }
}

@CommandHandler(AbortDependants)
export class AbortDependantsHandler implements ICommandHandler<AbortDependants> {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
    private readonly store: EventStore,
    private readonly quarantine: Quarantine,
  ) {}

  async execute({ dependants, term }: AbortDependants): Promise<number> {
    const prerequisites = [...new Set(dependants.map(({ prerequisite }) => prerequisite))];
    let aborted = 0;
    for (const [prerequisite, abort] of await this.abortsOf(prerequisites)) {
      const tasks = dependants.filter((one) => one.prerequisite === prerequisite).map(({ taskId }) => taskId);
      aborted += await this.abort(tasks, { prerequisite, term }, abort);
    }
    return aborted;
  }

  /** The last abort of each task or batch that can be read. Whether it has come back since, the append checks. */
  private async abortsOf(ids: readonly string[]): Promise<readonly (readonly [string, RecordedEvent])[]> {
    const streams = ids.flatMap((id) => [taskStream(id), batchStream(id)]);
    const aborts = await readEach(streams, (some) => this.store.readFirst(some), abortIn);
    const unreadable = aborts.filter((abort) => abort instanceof UnreadableStream);
    if (unreadable.length > 0) await this.quarantine.add(unreadable);
    return ids.flatMap((id, at) => {
      const [task, batch] = [aborts[2 * at], aborts[2 * at + 1]];
      if (task instanceof UnreadableStream || batch instanceof UnreadableStream) return [];
      const abort = batch ?? task;
      return abort ? [[id, abort] as const] : [];
    });
  }

  private async abort(
    tasks: readonly string[],
    { prerequisite, term }: { readonly prerequisite: string; readonly term: LeaderTerm },
    abort: RecordedEvent,
  ): Promise<number> {
    const { reason = null } = abort.event.data as { readonly reason?: string };
    const context = { ...causedBy(abort), term };
    const command = { type: 'AbortTask', now: this.clock.iso(), by: context.actor, reason, prerequisite } as const;
    const conditions = { staysAborted: prerequisite };
    const work = tasks.map((taskId) => ({ stream: taskStream(taskId), command, load: 'whole' as const, conditions }));
    const outcomes = await this.runner.runMany(taskDecider, work, context);
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }
}

const abortIn = (history: readonly RecordedEvent[]): RecordedEvent | undefined =>
  history.findLast(({ event }) => ABORTS.includes(event.type));

/** The tasks of a batch are not wanted any more if its plan fails. */
const ABORTS: readonly string[] = ['TaskAborted', 'BatchAborted', 'BatchPlanFailed'];
