import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskIdOf } from '../../domain/task/task.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';

/** Two attempts of one task that worked at the same time, as far as the log tells. */
export interface Overlap {
  /** The late report that shows it. Decimal. */
  readonly position: string;
  readonly queue: string;
  readonly task: string;
  /** The attempt that was lost, and reported after the next one had begun. */
  readonly attempt: number;
  readonly worker: string;
  readonly nextAttempt: number;
  readonly nextWorker: string;
  readonly lostAt: string;
  /** From when to when both worked: until the late report, or until the next attempt had ended. */
  readonly begunAt: string;
  readonly endedAt: string;
}

type Told = Recorded & { readonly event: TaskEvent };

/** The overlap that the late report at the position shows; null if no other attempt had begun by then. */
export function overlapAt(recorded: readonly Recorded[], position: bigint): Overlap | null {
  const history = recorded.filter((one) => one.position <= position) as readonly Told[];
  const report = history.at(-1);
  if (report?.event.type !== 'TaskLateReportRefused') return null;
  const { queue, attempt, worker, token } = report.event.data;
  const lost = history.find(({ event }) => endsClaim(event, token));
  if (!lost) return null;
  const later = history.filter((one) => one.position > lost.position);
  const next = later.find(({ event }) => event.type === 'TaskClaimed');
  if (next?.event.type !== 'TaskClaimed') return null;
  const { attempt: nextAttempt, worker: nextWorker, token: nextToken } = next.event.data;
  const end = later.find(({ event }) => endsClaim(event, nextToken)) ?? report;
  const of = { queue, task: taskIdOf(report.stream), attempt, worker, nextAttempt, nextWorker };
  const times = { lostAt: lost.recordedAt, begunAt: next.recordedAt, endedAt: end.recordedAt };
  return { position: String(position), ...of, ...times };
}

/** Whether the claim of the token ended with the event. Events that end an attempt say how long it ran. */
function endsClaim({ type, data }: TaskEvent, token: string): boolean {
  if (!('ranMs' in data) || !('token' in data) || data.token !== token) return false;
  return type !== 'TaskStepCompleted' || data.then !== 'continue';
}
