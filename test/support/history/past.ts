import { taskDecider } from '../../../src/domain/task/task.decider.js';
import { type History, type Log, type PastAttempt, type TaskRecord, type Violation, violation } from './history.js';
import { evolveTask } from '../../../src/check/log-check.js';

/** I23: what was answered as of a position is the fold of the log up to it, and a time shows nothing recorded later. */
export function* pastViolations({ operations }: History, log: Log): Generator<Violation> {
  const looks = operations.filter((one): one is PastAttempt => one.kind === 'past' && one.outcome === 'ok');
  for (const look of looks) {
    yield* otherMoment(look, log);
    if (look.task) yield* otherTask(look, look.task, log);
    if (look.tally) yield* otherTally(look, look.tally, log);
  }
}

function* otherMoment({ operation, asked, moment }: PastAttempt, log: Log): Generator<Violation> {
  const says = `Expected '${operation}' as of ${asked} to`;
  if (moment === null) return yield violation('I23', `${says} name its position, but it names none`);
  if (asked === moment.position) return;
  if (isPosition(asked)) return yield violation('I23', `${says} be of that position, but it is of ${moment.position}`);
  const later = upTo(log.events, moment.position).find(({ recordedAt }) => recordedAt > moment.at);
  if (later) yield violation('I23', `${says} show nothing recorded after ${moment.at}, but it does`, later);
}

function* otherTask({ operation, moment }: PastAttempt, task: NonNullable<PastAttempt['task']>, log: Log) {
  const records = upTo(log.tasks.get(task.id) ?? [], moment?.position ?? '0');
  const [state, last] = [stateOf(records), records.at(-1)?.position];
  if (state === task.state && String(last) === task.position) return;
  const says = `Expected '${operation}' as of ${moment?.position} to show '${task.id}' ${state} at ${last}`;
  yield violation('I23', `${says}, but it shows it ${task.state} at ${task.position}`, ...records);
}

function* otherTally({ operation, moment }: PastAttempt, tally: NonNullable<PastAttempt['tally']>, log: Log) {
  const expected = new Map<string, number>();
  for (const [, records] of log.tasks) {
    const then = upTo(records, moment?.position ?? '0');
    if (then.length === 0 || queueOf(records) !== tally.queue) continue;
    expected.set(stateOf(then), (expected.get(stateOf(then)) ?? 0) + 1);
  }
  for (const [state, count] of Object.entries(tally.counts)) {
    if (count === (expected.get(state) ?? 0)) continue;
    const says = `Expected '${operation}' as of ${moment?.position} to count ${expected.get(state) ?? 0} tasks of '${tally.queue}' that are ${state}`;
    yield violation('I23', `${says}, but it counts ${count}`);
  }
}

const isPosition = (asked: string): boolean => /^\d+$/.test(asked);

const upTo = <E extends { readonly position: bigint }>(events: readonly E[], position: string): readonly E[] =>
  events.filter((event) => event.position <= BigInt(position));

const stateOf = (records: readonly TaskRecord[]): string =>
  records.reduce((state, { event }) => evolveTask(state, event), taskDecider.initialState).status;

const queueOf = ([first]: readonly TaskRecord[]): unknown => (first!.event.data as { queue?: unknown }).queue;
