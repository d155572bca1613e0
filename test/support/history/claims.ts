import { isOfTask, type TaskRecord } from '../../../src/check/appends.js';
import { tokenOf } from '../../../src/check/rules/attempts.js';
import { type Violation, violation } from '../../../src/check/violation.js';
import { taskIdOf } from '../../../src/domain/task/task.stream.js';
import type { ClaimAttempt, History, Log } from './history.js';

/** I3: the claims of the log, compared with the claimants' answers. */
export function* claimViolations({ operations, events }: History, log: Log): Generator<Violation> {
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
