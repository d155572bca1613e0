import type { Json, JsonObject } from '../../domain/kernel/json.js';
import type { QueuePolicy } from '../../domain/queue/queue.policy.js';
import { classOf } from '../../domain/task/error-class.js';
import type { ReportedClass, TaskError } from '../../domain/task/task.events.js';

/** An error as the worker reports it. */
export interface ReportedError {
  readonly message: string;
  /** Defaults to `application`, or to what the queue guesses. */
  readonly class?: ReportedClass;
  readonly details?: Json;
}

/** The error in the form to record: its stack is cut to a bound, or left out if the queue's policy says so. */
export function recordedError(
  error: ReportedError,
  { errorStacks, errorClasses }: Pick<QueuePolicy, 'errorStacks' | 'errorClasses'>,
): TaskError {
  const { message, details } = error;
  const kept = hasStack(details) ? (errorStacks ? withinBounds(details) : withoutStack(details)) : details;
  return { message, class: classOf(error, errorClasses), ...(kept !== undefined && { details: kept }) };
}

type Stacked = JsonObject & { readonly stack: Json };

const hasStack = (details: Json | undefined): details is Stacked =>
  typeof details === 'object' && details !== null && !Array.isArray(details) && Object.hasOwn(details, 'stack');

function withoutStack(details: Stacked): Json | undefined {
  const { stack: _, ...rest } = details;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

const withinBounds = (details: Stacked): Json =>
  typeof details.stack === 'string' ? { ...details, stack: cut(details.stack) } : details;

const STACK_BYTES = 8 * 1_024;
const CUT = '\n… cut at 8 KiB';

/** Cuts a long stack instead of refusing it, because the verdict matters more than the end of its stack. */
function cut(stack: string): string {
  if (Buffer.byteLength(stack) <= STACK_BYTES) return stack;
  const bytes = Buffer.from(stack);
  let end = STACK_BYTES - Buffer.byteLength(CUT);
  while (isWithinCharacter(bytes[end]!)) end--;
  return bytes.toString('utf8', 0, end) + CUT;
}

const isWithinCharacter = (byte: number): boolean => (byte & 0xc0) === 0x80;
