import type { ErrorClass, ErrorReport, Json, SettleVerdict } from '@waybill/contracts';
import { encodeJson } from '../json.js';
import { stackOf } from './stack.js';
import { describe, memberOf } from './thrown.js';

export const ERROR_CLASSES: readonly ErrorClass[] = ['business', 'application', 'transient', 'bug'];

/** The service's limit. */
const MESSAGE_CHARACTERS = 32_768;

const LEGAL =
  'nothing, a JSON value, run.succeed(result), run.noChange(), run.fail(class, message), run.retryLater(ms), ' +
  'run.cancelled() or run.completeStep(name)';

/** How a handler says what became of its task. Made by the methods of `Run` and returned by the handler. */
export class Verdict {
  constructor(
    /** null: the service has been told already, or is not to be told. */
    readonly settlement: SettleVerdict | null,
  ) {}
}

/** A handler's verdict is none that exists: its code is at fault, and the attempt fails as a `bug`. */
export class IllegalVerdict extends TypeError {
  override readonly name = 'IllegalVerdict';
  readonly class: ErrorClass = 'bug';
}

export interface FailOptions {
  /** Never tried again, whatever the queue's policy says. */
  readonly final?: boolean;
  readonly details?: Json;
}

export const succeed = (result?: unknown): Verdict =>
  new Verdict({ type: 'succeed', ...(result !== undefined && { result: carried(result) }) });

export const noChange = (): Verdict => new Verdict({ type: 'succeed', noChange: true });

export function fail(errorClass: ErrorClass, message: string, { final, details }: FailOptions = {}): Verdict {
  const error = errorReport(errorClass, message, details);
  return new Verdict({ type: 'fail', error, ...(final !== undefined && { final }) });
}

export function retryLater(afterMs: number, message = 'The worker asked to try again later'): Verdict {
  if (!Number.isSafeInteger(afterMs) || afterMs < 0) {
    throw new IllegalVerdict(`Expected to retry after a whole number of milliseconds, 0 or more, but got '${afterMs}'`);
  }
  return new Verdict({ type: 'fail', error: errorReport('transient', message, undefined), retryAfterMs: afterMs });
}

export const returnTask = (): Verdict => new Verdict({ type: 'return' });
export const confirmCancel = (): Verdict => new Verdict({ type: 'confirmCancel' });
export const alreadyTold = (): Verdict => new Verdict(null);

/** The verdict that a handler's return value stands for: a plain value is the result of a success. */
export function verdictOf(returned: unknown): Verdict {
  if (returned instanceof Verdict) return returned;
  if (typeof returned === 'function' || typeof returned === 'symbol' || typeof returned === 'bigint') {
    throw new IllegalVerdict(`Expected the handler to return ${LEGAL}, but it returned a ${typeof returned}`);
  }
  return succeed(returned);
}

/** The failure that a thrown error stands for; an error with a `class` of ours keeps it. */
export function failureOf(thrown: unknown): Verdict {
  return new Verdict({ type: 'fail', error: reportOf(thrown) });
}

/** What is said in place of a refused verdict. A failure keeps its words and its weight, and nothing else that may be refused. */
export function failureInsteadOf(verdict: SettleVerdict, refusal: string): SettleVerdict {
  const words = `Expected to settle as '${verdict.type}', but: ${refusal}`;
  if (verdict.type !== 'fail') return { type: 'fail', error: { message: fitting(words), class: 'bug' } };
  const { error, final } = verdict;
  const message = fitting(`${error.message}\n${words}`);
  return { type: 'fail', error: { message, class: error.class }, ...(final !== undefined && { final }) };
}

/** An error as the service records it. */
export function reportOf(thrown: unknown): ErrorReport & { class: ErrorClass } {
  const own = memberOf(thrown, 'class');
  const stack = stackOf(thrown);
  return {
    message: fitting(describe(thrown)),
    class: isErrorClass(own) ? own : 'application',
    ...(stack !== undefined && { details: { stack } }),
  };
}

/** NUL and halves of surrogate pairs, one of which a cut may leave: the service cannot store them. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

/** A message cut short, or with a mark in place of what cannot be stored, says more than one that is refused. */
const fitting = (message: string): string =>
  message.slice(0, MESSAGE_CHARACTERS).replace(UNSTORABLE, '\uFFFD') || 'unknown';

const isErrorClass = (value: unknown): value is ErrorClass => ERROR_CLASSES.some((each) => each === value);

function errorReport(errorClass: unknown, message: unknown, details: unknown): ErrorReport {
  if (!isErrorClass(errorClass)) {
    throw new IllegalVerdict(`Expected an error class of ${ERROR_CLASSES.join(', ')}, but got '${String(errorClass)}'`);
  }
  if (typeof message !== 'string' || message === '') {
    throw new IllegalVerdict(`Expected a failure to have a message, but got '${String(message)}'`);
  }
  return { message: fitting(message), class: errorClass, ...(details !== undefined && { details: carried(details) }) };
}

/** Checked here and not when it is sent: there it would spoil the batch it travels in. */
function carried(value: unknown): unknown {
  try {
    encodeJson(value);
    return value;
  } catch (error) {
    throw new IllegalVerdict(`Expected the handler to return ${LEGAL}, but: ${describe(error)}`, { cause: error });
  }
}
