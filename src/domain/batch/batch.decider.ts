import { accept, alreadyDone, type Decider, type Decision, reject } from '../kernel/decider.js';
import { sameContent } from '../kernel/json.js';
import { allowedOnBatch, type BatchCommand, type BatchCommandOf } from './batch.commands.js';
import type { BatchCounts, BatchEvent } from './batch.events.js';
import type { BatchRejection } from './batch.rejections.js';
import { type BatchState, evolveBatch, type KnownBatch } from './batch.state.js';

type BatchDecision = Decision<BatchEvent, BatchRejection>;

/**
 * One batch: a group of tasks that is planned, opened as a whole, and over when all its tasks are. The append checks
 * what the batch's tasks are at that moment.
 */
export const batchDecider: Decider<BatchState, BatchCommand, BatchEvent, BatchRejection> = {
  initialState: { status: 'unknown' },
  evolve: evolveBatch,
  decide: (command, state) => {
    if (command.type === 'CreateBatch') return create(command, state);
    if (state.status === 'unknown') return reject({ code: 'BATCH_NOT_FOUND', batch: command.batch });
    switch (command.type) {
      case 'OpenBatch':
        return open(command, state);
      case 'EndBatch':
        return end(command, state);
      case 'AbortBatch':
        return abort(command, state);
      case 'DeleteBatch':
        return remove(command, state);
    }
  },
};

function create({ batch, facts, now: at }: BatchCommandOf<'CreateBatch'>, state: BatchState): BatchDecision {
  if (state.status === 'unknown')
    return accept<BatchEvent>({ type: 'BatchCreated', version: 1, data: { batch, at, ...facts } });
  return sameContent(facts, state.batch) ? alreadyDone : reject({ code: 'BATCH_EXISTS' });
}

function open(command: BatchCommandOf<'OpenBatch'>, state: KnownBatch): BatchDecision {
  const { batch, tasks } = command;
  if (state.status === 'planning')
    return accept<BatchEvent>({ type: 'BatchOpened', version: 1, data: { batch, tasks } });
  if (state.status !== 'running') return illegal(command, state);
  return state.tasks === tasks
    ? alreadyDone
    : reject({ code: 'BATCH_INCOMPLETE', expected: tasks, actual: state.tasks });
}

/** After a failure, the batch ends again once tasks that were retried have ended. */
function end(command: BatchCommandOf<'EndBatch'>, state: KnownBatch): BatchDecision {
  const { batch, counts, now: at } = command;
  if (state.status !== 'running' && state.status !== 'failed') return illegal(command, state);
  if (isComplete(counts))
    return accept<BatchEvent>({ type: 'BatchCompleted', version: 1, data: { batch, counts, at } });
  if (state.status === 'failed' && sameContent(state.counts, counts)) return alreadyDone;
  return accept<BatchEvent>({ type: 'BatchFailed', version: 1, data: { batch, counts, at } });
}

/** Deleted tasks do not count, but if all were deleted, nothing succeeded. A batch that never had a task lacks nothing. */
const isComplete = ({ total, succeeded, deleted }: BatchCounts): boolean =>
  total === 0 || (succeeded > 0 && succeeded + deleted === total);

function abort(command: BatchCommandOf<'AbortBatch'>, state: KnownBatch): BatchDecision {
  const { batch, now: at } = command;
  switch (state.status) {
    case 'planning':
    case 'running':
    case 'failed':
      return accept<BatchEvent>({ type: 'BatchAborted', version: 1, data: { batch, at } });
    case 'aborted':
      return alreadyDone;
    default:
      return illegal(command, state);
  }
}

function remove({ batch, now: at }: BatchCommandOf<'DeleteBatch'>, state: KnownBatch): BatchDecision {
  if (state.status === 'deleted') return alreadyDone;
  return accept<BatchEvent>({ type: 'BatchDeleted', version: 1, data: { batch, at } });
}

const illegal = ({ type }: BatchCommand, { status }: KnownBatch): BatchDecision =>
  reject({ code: 'BATCH_ILLEGAL_TRANSITION', command: type, state: status, allowed: allowedOnBatch(status) });
