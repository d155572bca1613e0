import { type Decider, reject } from '../kernel/decider.js';
import { AMENDMENT_RULES } from './amendment.js';
import { overBounds } from './bounds.js';
import { CLAIM_RULES } from './claim.js';
import { DATA_RULES } from './data.js';
import { ERASURE_RULES, takesNothing } from './erasure.js';
import { FAILURE_RULES } from './failure.js';
import { GATHERING_RULES } from './gathering.js';
import { OPERATION_RULES } from './operation.js';
import { PREREQUISITE_RULES } from './prerequisites.js';
import { RECOVERY_RULES } from './recovery.js';
import { RESTORE_RULES } from './restore.js';
import { SETTLEMENT_RULES } from './settlement.js';
import { TIME_LIMIT_RULES } from './time-limits.js';
import { WAIT_RULES } from './waits.js';
import { begin, SUBMISSION_RULES } from './submission.js';
import type { TaskCommand } from './task.commands.js';
import type { TaskEvent } from './task.events.js';
import { evolveTask } from './task.evolve.js';
import type { TaskRejection } from './task.rejections.js';
import { type KnownTask, leanTask, outlineOf, type TaskState } from './task.state.js';
import type { TaskDecision, TaskRules } from './task.transitions.js';

export { allowedCommands } from './task.transitions.js';

/**
 * The decider of one task. `docs/state-machine.md` says what every command does in every status, and a test checks this
 * code against its table.
 */
export const taskDecider: Decider<TaskState, TaskCommand, TaskEvent, TaskRejection> = {
  initialState: { status: 'unknown' },
  evolve: evolveTask,
  decide: (command, state) => (state.status === 'unknown' ? begin(command) : decideOnTask(command, state)),
  lean: leanTask,
  outline: outlineOf,
};

function decideOnTask(command: TaskCommand, state: KnownTask): TaskDecision {
  if (takesNothing(command, state)) return reject({ code: 'TASK_ERASED' });
  const rule = rules[command.type] as (command: TaskCommand, state: KnownTask) => TaskDecision;
  const decision = rule(command, state);
  const refusal = decision.kind === 'accepted' ? overBounds(command, state, decision.events) : null;
  return refusal ? reject(refusal) : decision;
}

const rules: TaskRules = {
  ...SUBMISSION_RULES,
  ...CLAIM_RULES,
  ...SETTLEMENT_RULES,
  ...FAILURE_RULES,
  ...TIME_LIMIT_RULES,
  ...RECOVERY_RULES,
  ...OPERATION_RULES,
  ...AMENDMENT_RULES,
  ...GATHERING_RULES,
  ...PREREQUISITE_RULES,
  ...DATA_RULES,
  ...WAIT_RULES,
  ...RESTORE_RULES,
  ...ERASURE_RULES,
};
