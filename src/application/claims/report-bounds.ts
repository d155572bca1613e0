import type { Json } from '../../domain/kernel/json.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { TaskCommand } from '../../domain/task/task.commands.js';
import { excessOf, jsonBytesAtMost } from '../tasks/json-size.js';
import type { Verdict } from './settlement.js';

/** A result up to this size is accepted under every policy, so that the usual success needs no look at its queue. */
const ALWAYS_ACCEPTED = 4_096;

/** Whether the queue's policy may refuse the report, or changes what is recorded of it. */
export function dependsOnPolicy(verdict: Verdict): boolean {
  if ('error' in verdict || verdict.type === 'completeStep' || verdict.type === 'cancel') return true;
  return 'result' in verdict && verdict.result !== undefined && jsonBytesAtMost(verdict.result) > ALWAYS_ACCEPTED;
}

/** The command with the bounds that apply to it. Those that end the attempt and are small have none. */
export function boundedReport(command: TaskCommand, { limits }: QueuePolicy, revision: number): TaskCommand {
  const value = valueIn(command);
  const limit = Math.max(limits.payloadBytes, ALWAYS_ACCEPTED);
  const excess = value === undefined || value === null ? null : excessOf(value, limit);
  if (!excess && !LENGTHENS.has(command.type)) return command;
  return { ...command, bounds: { excess, events: revision + 1 } } as TaskCommand;
}

const LENGTHENS: ReadonlySet<TaskCommand['type']> = new Set([
  'ReportError',
  'ReturnTask',
  'WaitTask',
  'CompleteStep',
  'RecordData',
]);

function valueIn(command: TaskCommand): Json | undefined {
  if ('result' in command) return command.result;
  return 'error' in command ? command.error.details : undefined;
}
