import type { EventView, TaskSummary } from '@waybill/client';
import { spansOf, type Span } from '../tasks/spans.js';

/** The attempts of a task, in a row. */
export interface Lane {
  readonly task: TaskSummary;
  readonly attempts: readonly Span[];
}

/** What is drawn, and from when until when. */
export interface Lanes {
  readonly lanes: readonly Lane[];
  readonly fromMs: number;
  readonly toMs: number;
}

type Begun = Pick<TaskSummary, 'state' | 'attempt' | 'startedAt'>;

/** Whether more attempts were made than the summary tells of: it has the times of the last one that runs or ended the task. */
export const needsHistory = ({ state, attempt, startedAt }: Begun): boolean =>
  attempt > 1 || (attempt === 1 && (startedAt === null || state === 'pending' || state === 'held'));

/** The tasks that have begun, the first one first, with the attempts that are known of them. */
export function lanesOf(
  tasks: readonly TaskSummary[],
  histories: ReadonlyMap<string, readonly EventView[]>,
  nowMs: number,
): Lanes {
  const lanes = tasks
    .map((task) => ({ task, attempts: attemptsOf(task, histories.get(task.id)) }))
    .filter(({ attempts }) => attempts.length > 0)
    .toSorted((a, b) => a.attempts[0]!.fromMs - b.attempts[0]!.fromMs);
  const all = lanes.flatMap(({ attempts }) => attempts);
  return {
    lanes,
    fromMs: Math.min(...all.map(({ fromMs }) => fromMs)),
    toMs: Math.max(...all.map(({ toMs }) => toMs ?? nowMs)),
  };
}

function attemptsOf(task: TaskSummary, history: readonly EventView[] | undefined): readonly Span[] {
  if (history) return spansOf(history).filter(({ kind }) => kind === 'running');
  const { startedAt, finishedAt, attempt, state, worker } = task;
  if (startedAt === null || needsHistory(task)) return [];
  const toMs = finishedAt === null ? null : Date.parse(finishedAt);
  const end = toMs === null ? {} : { end: state === 'succeeded' ? 'TaskSucceeded' : 'TaskFailed' };
  return [{ kind: 'running', fromMs: Date.parse(startedAt), toMs, attempt, ...(worker && { worker }), ...end }];
}
