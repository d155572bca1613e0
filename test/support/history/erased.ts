import { sameContent } from '../../../src/domain/kernel/json.js';
import { publicHalf } from '../../../src/domain/public-half.js';
import { type History, type Log, type Row, type Violation, violation } from './history.js';

/** What a row has of private halves, but for its error, which keeps its class. */
const PRIVATE_COLUMNS = ['key', 'reference', 'labels', 'description', 'payload_terms'];

/**
 * I12: no event of an erased task says what its payload was. I24: nothing else of the private halves of its events is left, in the log or in
 * its row.
 */
export function* erasedViolations(history: History, log: Log): Generator<Violation> {
  yield* inBatches(history);
  for (const task of history.erased ?? []) {
    yield* inEvents(task, log);
    for (const row of [...history.tasks, ...(history.archived ?? [])])
      if (row.task_id === task) yield* inRow(task, row);
  }
}

function* inEvents(task: string, log: Log): Generator<Violation> {
  for (const recorded of log.tasks.get(task) ?? []) {
    const { type, data } = recorded.event;
    const { payload = null, previous = null } = data as { payload?: unknown; previous?: unknown };
    if (payload !== null || previous !== null)
      yield violation('I12', `Expected the payload of task '${task}' to be erased, but '${type}' has it`, recorded);
    const open = publicHalf(recorded.event).data;
    const left = Object.keys(data).filter((member) => !(member in open) && member !== 'error');
    if (left.length > 0)
      yield violation(
        'I24',
        `Expected '${left.join()}' of task '${task}' to be erased, but '${type}' has it`,
        recorded,
      );
  }
}

/** A batch that says it is erased has nothing of its private halves left. */
function* inBatches({ events }: History): Generator<Violation> {
  const erased = new Set(events.flatMap(({ event, stream }) => (event.type === 'BatchErased' ? stream : [])));
  for (const recorded of events) {
    const { event, stream } = recorded;
    if (!erased.has(stream) || sameContent(publicHalf(event).data, event.data)) continue;
    yield violation('I24', `Expected '${stream}' to be erased, but '${event.type}' has its private half`, recorded);
  }
}

function* inRow(task: string, row: Row): Generator<Violation> {
  const left = PRIVATE_COLUMNS.filter((column) => (row[column] ?? null) !== null);
  if (left.length > 0)
    yield violation('I24', `Expected '${left.join()}' of task '${task}' to be erased, but its row has it`);
}
