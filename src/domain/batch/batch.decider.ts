import { accept, alreadyDone, type Decider, type Decision, reject } from '../kernel/decider.js';
import { sameContent } from '../kernel/json.js';
import { allowedOnBatch, BATCH_COMMANDS, type BatchCommand, type BatchCommandOf } from './batch.commands.js';
import type { BatchCounts, BatchEvent } from './batch.events.js';
import { OFFERABLE_BATCH_COMMANDS, rerunReportingOf } from './batch.policy.js';
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
    if (takesNothing(command, state)) return reject({ code: 'BATCH_ERASED' });
    switch (command.type) {
      case 'OpenBatch':
        return open(command, state);
      case 'FailPlan':
        return failPlan(command, state);
      case 'EndBatch':
        return end(command, state);
      case 'ReportTasks':
        return reportTasks(command, state);
      case 'RequestReport':
        return requestReport(command, state);
      case 'RerunBatch':
        return rerun(command, state);
      case 'AbortBatch':
        return abort(command, state);
      case 'DeleteBatch':
        return remove(command, state);
      case 'EraseBatch':
        return erase(command, state);
    }
  },
};

function create({ batch, facts, now: at }: BatchCommandOf<'CreateBatch'>, state: BatchState): BatchDecision {
  if (state.status === 'unknown')
    return accept<BatchEvent>({ type: 'BatchCreated', version: 1, data: { batch, at, ...facts } });
  return sameContent(facts, state.batch) ? alreadyDone : reject({ code: 'BATCH_EXISTS' });
}

/** A planner that begins again may come after the end of the batch. */
function open(command: BatchCommandOf<'OpenBatch'>, state: KnownBatch): BatchDecision {
  const { batch, tasks } = command;
  const { status, opened } = state;
  if (status === 'planning') return accept<BatchEvent>({ type: 'BatchOpened', version: 1, data: { batch, tasks } });
  if (opened === undefined || status === 'aborted' || status === 'deleted') return illegal(command, state);
  return opened === tasks ? alreadyDone : reject({ code: 'BATCH_INCOMPLETE', expected: tasks, actual: opened });
}

function failPlan(command: BatchCommandOf<'FailPlan'>, state: KnownBatch): BatchDecision {
  const { batch, error, now: at } = command;
  if (state.status === 'planning')
    return accept<BatchEvent>({ type: 'BatchPlanFailed', version: 1, data: { batch, error, at } });
  return state.status === 'failed' && state.counts === null ? alreadyDone : illegal(command, state);
}

/**
 * Reports, and ends with the report. After a failure, the batch ends again once tasks that were retried have ended, unless
 * its policy leaves that to people. If another batch ran them again, that one has reported, so this one is completed without a
 * report once all have succeeded.
 */
function end(command: BatchCommandOf<'EndBatch'>, state: KnownBatch): BatchDecision {
  const { batch, counts, report, now: at } = command;
  if (!endsFrom(state, counts)) return illegal(command, state);
  if (state.status === 'failed' && sameContent(state.counts, counts)) return alreadyDone;
  const number = state.reports + 1;
  const isNews = number === 1 || (report.changes.length > 0 && !isReportedElsewhere(state));
  const reported = { type: 'BatchReported', version: 2, data: { batch, number, counts, at, ...report } } as const;
  const type = isComplete(counts) ? 'BatchCompleted' : 'BatchFailed';
  const ended = { type, version: 1, data: { batch, counts, at } } as const;
  return isNews ? accept<BatchEvent>(reported, ended) : accept<BatchEvent>(ended);
}

function endsFrom(state: KnownBatch, counts: BatchCounts): boolean {
  if (state.status !== 'failed') return state.status === 'running' || state.status === 'reporting';
  const mode = rerunReportingOf(state.batch);
  return state.counts !== null && (mode === 'auto' || (mode === 'rerun-batch' && isComplete(counts)));
}

const isReportedElsewhere = (state: KnownBatch): boolean =>
  state.status === 'failed' && rerunReportingOf(state.batch) === 'rerun-batch';

/** Deleted tasks do not count, but if all were deleted, nothing succeeded. A batch that never had a task lacks nothing. */
const isComplete = ({ total, succeeded, deleted }: BatchCounts): boolean =>
  total === 0 || (succeeded > 0 && succeeded + deleted === total);

function reportTasks(command: BatchCommandOf<'ReportTasks'>, state: KnownBatch): BatchDecision {
  const { batch, tasks, now: at } = command;
  if (state.status !== 'failed' || state.counts === null || rerunReportingOf(state.batch) !== 'own')
    return illegal(command, state);
  if (tasks.length === 0) return alreadyDone;
  return accept(
    ...tasks.map((task, index): BatchEvent => {
      const number = state.reports + 1 + index;
      return { type: 'BatchTaskReported', version: 2, data: { batch, number, at, ...task } };
    }),
  );
}

/** A batch that was never opened has nothing to report. */
function requestReport(command: BatchCommandOf<'RequestReport'>, state: KnownBatch): BatchDecision {
  const { batch, by } = command;
  const mode = rerunReportingOf(state.batch);
  if (state.status === 'reporting') return alreadyDone;
  if (state.status !== 'failed' || state.counts === null) return illegal(command, state);
  return mode === 'own'
    ? reject({ code: 'RE_RUNS_REPORTED_OTHERWISE', reRunReporting: mode })
    : accept<BatchEvent>({ type: 'BatchReportRequested', version: 1, data: { batch, by } });
}

function rerun(command: BatchCommandOf<'RerunBatch'>, state: KnownBatch): BatchDecision {
  const { batch, by } = command;
  const mode = rerunReportingOf(state.batch);
  if (state.status !== 'failed' || state.counts === null) return illegal(command, state);
  if (mode !== 'rerun-batch') return reject({ code: 'RE_RUNS_REPORTED_OTHERWISE', reRunReporting: mode });
  if (state.rerun === command.rerun) return alreadyDone;
  return state.rerun === undefined
    ? accept<BatchEvent>({ type: 'BatchRerun', version: 1, data: { batch, rerun: command.rerun, by } })
    : reject({ code: 'BATCH_RUNS_AGAIN', rerun: state.rerun });
}

function abort(command: BatchCommandOf<'AbortBatch'>, state: KnownBatch): BatchDecision {
  const { batch, now: at } = command;
  switch (state.status) {
    case 'planning':
    case 'running':
    case 'failed':
    case 'reporting':
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

/** Whether an erased batch refuses the command. What the service records about its tasks, and its deletion, it takes. */
const takesNothing = ({ type }: BatchCommand, { erased }: KnownBatch): boolean =>
  erased === true && type !== 'DeleteBatch' && OFFERABLE_BATCH_COMMANDS.some((one) => one === type);

function erase({ batch, erasure }: BatchCommandOf<'EraseBatch'>, state: KnownBatch): BatchDecision {
  if (state.erased) return alreadyDone;
  if (!BATCH_COMMANDS.EraseBatch.includes(state.status))
    return reject({ code: 'BATCH_NOT_ENDED', state: state.status });
  return accept<BatchEvent>({ type: 'BatchErased', version: 1, data: { batch, erasure } });
}

const illegal = ({ type }: BatchCommand, { status }: KnownBatch): BatchDecision =>
  reject({ code: 'BATCH_ILLEGAL_TRANSITION', command: type, state: status, allowed: allowedOnBatch(status) });
