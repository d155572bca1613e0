import { changedData } from '../kernel/changed-data.js';
import { accept, alreadyDone, reject } from '../kernel/decider.js';
import { type JsonObject, sameContent } from '../kernel/json.js';
import { utf8Length } from '../kernel/utf8-length.js';
import { claimIsOver, holdsClaim } from './claim.js';
import { ofAttempt } from './event-parts.js';
import type { TaskCommandOf } from './task.commands.js';
import type { TaskEvent } from './task.events.js';
import type { TaskRejection } from './task.rejections.js';
import type { KnownTask } from './task.state.js';
import { illegal, type TaskDecision, type TaskRules } from './task.transitions.js';

export const DATA_RULES = {
  RecordData: record,
  AmendData: amend,
} satisfies Partial<TaskRules>;

/** The most bytes of a task's data as UTF-8 JSON. */
export const MOST_DATA_BYTES = 65_536;

function record(command: TaskCommandOf<'RecordData'>, state: KnownTask): TaskDecision {
  if (!holdsClaim(command, state)) return claimIsOver(command, state);
  return recorded(command.patch, state, ofAttempt(state));
}

/** An operator may correct what workers recorded, whatever became of the task. */
function amend(command: TaskCommandOf<'AmendData'>, state: KnownTask): TaskDecision {
  if (state.status === 'deleted') return illegal(command, state);
  return recorded(command.patch, state, { queue: state.task.submission.queue });
}

function recorded(patch: JsonObject, { task }: KnownTask, by: { readonly queue: string }): TaskDecision {
  if (sameContent(changedData(task.data, patch), task.data)) return alreadyDone;
  const event: TaskEvent = { type: 'TaskDataRecorded', version: 1, data: { patch, ...by } };
  return dataRefusal(task.data, patch) ?? accept(event);
}

/** Why the data cannot be changed so; null if they can. */
export function dataRefusal(data: JsonObject, patch: JsonObject): TaskDecision | null {
  const excess = dataExcess(changedData(data, patch));
  return excess && reject(excess);
}

/** Why a task cannot have the data; null if it can. */
export function dataExcess(data: JsonObject): TaskRejection | null {
  const bytes = utf8Length(JSON.stringify(data));
  return bytes > MOST_DATA_BYTES ? { code: 'DATA_TOO_LARGE', bytes, limit: MOST_DATA_BYTES } : null;
}
