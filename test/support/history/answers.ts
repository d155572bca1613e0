import { taskDecider } from '../../../src/domain/task/task.decider.js';
import { type CommandAttempt, type History, type Log, type ReadAttempt, type Violation, violation } from './history.js';
import { evolveTask } from '../../../src/check/log-check.js';

/** I16: what a command answered is in the log, and whoever asks for its position reads nothing older. */
export function* answerViolations({ operations }: History, log: Log): Generator<Violation> {
  const commands = operations.filter((one) => one.kind === 'command');
  const requests = new Set(commands.map((one) => requestOf(one, one.requestId)));
  for (const operation of operations) {
    if (operation.outcome !== 'ok') continue;
    if (operation.kind === 'command') yield* withoutEffect(operation, requests, log);
    if (operation.kind === 'read') yield* outdated(operation, log);
  }
}

/** Requests under one idempotency key are one command. */
const requestOf = ({ idempotencyKey }: CommandAttempt, requestId: string): string =>
  `${idempotencyKey ?? requestId} ${requestId}`;

function* withoutEffect(command: CommandAttempt, requests: ReadonlySet<string>, log: Log): Generator<Violation> {
  const { operation, answer } = command;
  if (!answer) return;
  const { id, position, recorded } = answer;
  const at = log.at(BigInt(position));
  const says = `Expected '${operation}', which was answered with position ${position}, to`;
  if (!at?.stream.endsWith(id)) yield violation('I16', `${says} have an event of '${id}' there, but it has none`, at);
  else if (recorded && !requests.has(requestOf(command, at.envelope.correlationId)))
    yield violation('I16', `${says} have recorded that event, but another request did`, at);
}

function* outdated({ operation, minPosition, asOf, task }: ReadAttempt, log: Log): Generator<Violation> {
  const says = `Expected '${operation}' as of ${minPosition} to`;
  if (asOf === null || BigInt(asOf) < BigInt(minPosition))
    yield violation('I16', `${says} be at least as new, but it says ${String(asOf)}`);
  if (!task) return;
  const records = log.tasks.get(task.id) ?? [];
  const [from, at] = [records.findLast(({ position }) => position <= BigInt(minPosition)), BigInt(task.position)];
  if (from && at < from.position) yield violation('I16', `${says} show '${task.id}' at least at that position`, from);
  const shown = records.filter(({ position }) => position <= at);
  const { status } = shown.reduce((state, { event }) => evolveTask(state, event), taskDecider.initialState);
  if (shown.at(-1)?.position !== at || status !== task.state)
    yield violation(
      'I16',
      `${says} show '${task.id}' as it was at ${task.position}: ${status}, not ${task.state}`,
      ...shown,
    );
}
