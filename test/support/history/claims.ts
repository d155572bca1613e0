import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import { endsClaim, tokenOf } from './attempts.js';
import {
  type ClaimAttempt,
  type History,
  isOfTask,
  type Log,
  type TaskRecord,
  type Violation,
  violation,
} from './history.js';

/** I3 and I4: the claims of the log as intervals of positions, compared with the claimants' answers. */
export function* claimViolations({ operations, events }: History, log: Log): Generator<Violation> {
  const sweep = new Sweep();
  for (const recorded of events) if (isOfTask(recorded)) yield* sweep.take(recorded);
  const claims = new Map(
    events
      .filter(isOfTask)
      .filter(isClaim)
      .map((claim) => [tokenOf(claim)!, claim]),
  );
  const claimIds = new Map<string, string>();
  for (const operation of operations) {
    if (operation.kind === 'claim') yield* misgranted(operation, claims, claimIds, log);
  }
}

const isClaim = ({ event }: TaskRecord): boolean => event.type === 'TaskClaimed';

class Sweep {
  private readonly open = new Map<string, TaskRecord>();
  private readonly lastTokens = new Map<string, bigint>();

  *take(recorded: TaskRecord): Generator<Violation> {
    const { event } = recorded;
    if (event.type === 'TaskClaimed') yield* this.begin(recorded);
    else if (endsClaim(event)) yield* this.end(recorded);
  }

  private *begin(claim: TaskRecord): Generator<Violation> {
    const { stream } = claim;
    const task = taskIdOf(stream);
    const before = this.open.get(stream);
    if (before) yield violation('I3', `Expected one open claim of task '${task}', but there are two`, before, claim);
    const token = BigInt(tokenOf(claim)!);
    const last = this.lastTokens.get(stream) ?? -1n;
    if (token <= last) yield violation('I3', `Expected task '${task}' to get a token above ${last}`, claim);
    this.open.set(stream, claim);
    this.lastTokens.set(stream, token);
  }

  private *end(end: TaskRecord): Generator<Violation> {
    const { stream, event } = end;
    const claim = this.open.get(stream);
    const token = tokenOf(end);
    if (!claim || (token !== null && token !== tokenOf(claim))) {
      const says = `Expected '${event.type}' of task '${taskIdOf(stream)}' under its open claim, but it is under ${token}`;
      yield violation('I4', says, claim, end);
      return;
    }
    this.open.delete(stream);
  }
}

/** A task that was given out has a claim in the log. The same token is never given to two claimants. */
function* misgranted(
  { worker, claimId, claimedTasks }: ClaimAttempt,
  claims: ReadonlyMap<string, TaskRecord>,
  claimIds: Map<string, string>,
  log: Log,
): Generator<Violation> {
  for (const { taskId, token } of claimedTasks) {
    const claim = claims.get(token);
    if (
      !claim ||
      taskIdOf(claim.stream) !== taskId ||
      !('worker' in claim.event.data) ||
      claim.event.data.worker !== worker
    )
      yield violation(
        'I3',
        `Expected token ${token} of task '${taskId}' to be claimed by '${worker}', but the log knows no such claim`,
        ...(log.tasks.get(taskId) ?? []),
      );
    const other = claimIds.get(token) ?? claimId;
    claimIds.set(token, other);
    if (other !== claimId)
      yield violation('I3', `Expected token ${token} to be given to one claim, but got two`, claim);
  }
}
