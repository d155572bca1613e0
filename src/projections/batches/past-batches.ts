import { Injectable } from '@nestjs/common';
import type { BatchEvent } from '../../domain/batch/batch.events.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { MOST_LINES, type OpenTasks } from '../kernel/open-tasks.js';
import type { Then } from '../kernel/page-as-of.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { PastTasks, type TaskThen } from '../kernel/past-tasks.js';
import { batchRow } from '../kernel/rows/batch-row.js';
import { queueRow } from '../kernel/rows/queue-row.js';
import { eventsIn } from '../kernel/stream-as-of.js';
import { type BatchRow, viewOf } from './batch-view.js';
import type { BatchDetails } from './batches.queries.js';
import { type MembersThen, PastMembers } from './past-members.js';

/** States in which a task of a batch has ended. */
const OVER: ReadonlySet<TaskStatus> = new Set(['succeeded', 'superseded', 'failed', 'aborted', 'deleted']);

type Planner = Pick<BatchRow, 'planner_state' | 'planner_begun'> & { readonly queue: string | null };

/** Shows batches as of a moment, by their events up to there. */
@Injectable()
export class PastBatches {
  constructor(
    private readonly past: Past,
    private readonly tasks: PastTasks,
    private readonly members: PastMembers,
  ) {}

  /** In the order of the batches, each of which has been created. Throws `TooMuchToFold`. */
  async viewsOf(batches: readonly Then[], moment: Moment): Promise<readonly BatchDetails[]> {
    const rows = batches.map(({ history }) => batchAt(history)!);
    const planners = await this.plannersOf(rows, moment);
    const counted = await this.members.of(
      rows.map(({ id }) => id),
      moment,
    );
    const policies = await this.policiesOf([...counted, ...planners.values()], moment);
    return rows.map((row) => {
      const own = counted.filter(({ batch }) => batch === row.id);
      const { queue, ...planner } = planners.get(row.id) ?? NO_PLANNER;
      const view = viewOf({ ...row, ...planner, ...countsOf(own) });
      const planned = row.state === 'planning' && queue !== null ? [{ queue, state: planner.planner_state! }] : [];
      return { ...view, openTasks: openTasksIn(own, planned, policies) };
    });
  }

  /** The state in the words of its queue. */
  async stateNames(counted: readonly MembersThen[], moment: Moment): Promise<readonly string[]> {
    const policies = await this.policiesOf(counted, moment);
    return counted.map(({ queue, state }) => stateNameIn(policies.get(queue), state));
  }

  private async plannersOf(rows: readonly PastBatchRow[], moment: Moment): Promise<ReadonlyMap<string, Planner>> {
    const planned = rows.filter(({ planner }) => planner !== null);
    const found = await this.tasks.at(
      planned.map(({ planner }) => planner!),
      moment,
    );
    return new Map(planned.map(({ id }, at) => [id, plannerIn(found[at]!)]));
  }

  private async policiesOf(of: readonly { readonly queue: string | null }[], { position }: Moment): Promise<Policies> {
    const names = [...new Set(of.flatMap(({ queue }) => queue ?? []))];
    const histories = await this.past.historiesAt(names.map(queueStream), position);
    return new Map(
      names.flatMap((name, at) => {
        const events = eventsIn<QueueEvent>(histories[at]!);
        return events.length === 0 ? [] : [[name, (queueRow(events) as Partial<QueueThen>).policy]];
      }),
    );
  }
}

interface QueueThen {
  readonly policy: QueuePolicy;
}

type Policies = ReadonlyMap<string, QueuePolicy | undefined>;

const NO_PLANNER: Planner = { planner_state: null, planner_begun: null, queue: null };

const plannerIn = (task: TaskThen | null): Planner =>
  task === null ? NO_PLANNER : { planner_state: task.state, planner_begun: task.begun, queue: task.queue };

type Counts = Pick<BatchRow, 'total' | 'open' | 'succeeded' | 'failed' | 'aborted' | 'deleted'>;
/** A batch without what its tasks say. */
export type PastBatchRow = Omit<BatchRow, keyof Counts | 'planner_state' | 'planner_begun'>;

/** The batch with these events, without what its tasks say; null if it was not created by then. */
export function batchAt(history: readonly Recorded[]): PastBatchRow | null {
  const row = batchRow(eventsIn<BatchEvent>(history)) as Readonly<Record<string, never>> | null;
  if (row?.created_at === undefined) return null;
  const { revision, position } = history.at(-1)!;
  return {
    id: row.id!,
    name: row.name!,
    description: row.description!,
    labels: row.labels!,
    state: row.state!,
    created_at: new Date(row.created_at),
    ended_at: timeOf(row.ended_at),
    planner: row.planner!,
    error: row.error!,
    policy: row.policy!,
    re_runs: row.re_runs!,
    report_to: row.report_to!,
    rerun_of: row.rerun_of!,
    rerun: row.rerun!,
    reports: row.reports!,
    reported_at: timeOf(row.reported_at),
    revision,
    position: String(position),
  };
}

const timeOf = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

function countsOf(own: readonly MembersThen[]): Counts {
  const sum = (counts: (state: TaskStatus) => boolean): number =>
    own.reduce((total, { state, tasks }) => (counts(state) ? total + tasks : total), 0);
  return {
    total: sum(() => true),
    open: sum((state) => !OVER.has(state)),
    succeeded: sum((state) => state === 'succeeded' || state === 'superseded'),
    failed: sum((state) => state === 'failed'),
    aborted: sum((state) => state === 'aborted'),
    deleted: sum((state) => state === 'deleted'),
  };
}

type OpenState = Pick<OpenTasks, 'queue' | 'state'>;

/** As `openTasksOf`. */
function openTasksIn(own: readonly MembersThen[], planned: readonly OpenState[], policies: Policies): OpenTasks[] {
  const lines = new Map<string, OpenState & { readonly tasks: number }>();
  for (const { queue, state, tasks } of [...own, ...planned.map((one) => ({ ...one, tasks: 1 }))]) {
    const key = `${queue}\0${state}`;
    if (!OVER.has(state)) lines.set(key, { queue, state, tasks: (lines.get(key)?.tasks ?? 0) + tasks });
  }
  const sorted = [...lines].sort(([one], [other]) => (one < other ? -1 : 1)).slice(0, MOST_LINES);
  return sorted.map(([, { queue, state, tasks }]) => {
    const policy = policies.get(queue);
    return { queue, state, stateName: stateNameIn(policy, state), tasks, offered: policy?.commands ?? null };
  });
}

function stateNameIn(policy: QueuePolicy | undefined, state: TaskStatus): string {
  const names: Readonly<Record<string, string | undefined>> = policy?.vocabulary ?? {};
  return names[state] ?? state;
}
