import type { ErrorClass, ErrorReport, Json, SettleVerdict } from '@waybill/contracts';
import { assertOptions } from '../call-options.js';
import { jsonCopy } from '../json.js';
import { WaybillError } from '../problems.js';
import { stackOf } from './stack.js';
import { describe, memberOf } from './thrown.js';

export const ERROR_CLASSES: readonly ErrorClass[] = ['business', 'application', 'transient', 'bug'];

/** The service's limits: of a message, and of a delay, a year. */
const MESSAGE_CHARACTERS = 32_768;
export const LONGEST_DELAY_MS = 366 * 86_400_000;

const LEGAL =
  'nothing, a JSON value, run.succeed(result), run.noChange(), run.fail(class, message), run.retryLater(ms), ' +
  'run.postpone(ms), run.cancelled(), run.done() or run.completeStep(name)';

const RETURN = `Expected the handler to return ${LEGAL}`;

/** The outcome of a task, as a handler returns it. Made by the methods of `Run`. */
export class Verdict {
  constructor(
    /** Null if the service already knows the outcome, or must not be told. */
    readonly settlement: SettleVerdict | null,
    /** What the handler returned as its result. */
    readonly returned?: unknown,
  ) {}
}

/**
 * The handler reported something that cannot be recorded. This is a bug in its code, so the attempt fails as a `bug`. It
 * has done its work and would report the same again, so it is not run again, whatever the policy says.
 */
export class IllegalVerdict extends TypeError {
  override readonly name: string = 'IllegalVerdict';
  readonly class: ErrorClass = 'bug';
  readonly final = true;
}

export type CompletedStep = Extract<SettleVerdict, { readonly type: 'completeStep' }>;

export interface FailOptions {
  /** Never retried, whatever the queue's policy says. */
  readonly final?: boolean;
  readonly details?: Json;
}

export const succeed = (result?: unknown): Verdict =>
  new Verdict({ type: 'succeed', ...(result !== undefined && { result: carried(result) }) }, result);

export const noChange = (): Verdict => new Verdict({ type: 'succeed', noChange: true });

export function fail(errorClass: ErrorClass, message: string, options: FailOptions = {}): Verdict {
  const { final, details } = recordedBy('run.fail', options);
  const error = errorReport(errorClass, message, details);
  return new Verdict({ type: 'fail', error, ...(final !== undefined && { final }) });
}

export function retryLater(afterMs: number, message = 'The worker asked to try again later'): Verdict {
  const error = errorReport('transient', message, undefined);
  return new Verdict({ type: 'fail', error, retryAfterMs: milliseconds(afterMs) });
}

function milliseconds(afterMs: number): number {
  if (Number.isSafeInteger(afterMs) && afterMs >= 0 && afterMs <= LONGEST_DELAY_MS) return afterMs;
  throw new IllegalVerdict(
    `Expected to retry after a whole number of milliseconds from 0 to ${LONGEST_DELAY_MS}, but got '${describe(afterMs)}'`,
  );
}

export const stepDone = (step: string, { data, ...rest }: Omit<CompletedStep, 'type' | 'step' | 'then'>): Verdict =>
  new Verdict({
    type: 'completeStep',
    step,
    then: 'offer',
    ...rest,
    ...(rest.result !== undefined && { result: carried(rest.result) }),
    ...(data !== undefined && { data: carried(data) as typeof data }),
  });

export const returnTask = (): Verdict => new Verdict({ type: 'return' });

export const postpone = (afterMs: number): Verdict => new Verdict({ type: 'return', afterMs: milliseconds(afterMs) });
export const confirmCancel = (): Verdict => new Verdict({ type: 'confirmCancel' });
/** The worker cancels its run by itself. */
export const cancelRun = (reason: string): Verdict => new Verdict({ type: 'cancel', reason });
export const alreadyTold = (): Verdict => new Verdict(null);

/**
 * What a handler returned, to be awaited. An `async` handler whose value throws when JavaScript asks it for `then` has thrown
 * this error itself, and nobody can tell the difference.
 */
export function returnedBy(returned: unknown): unknown {
  if (Object(returned) === returned) readOrIllegal(() => (returned as { readonly then?: unknown }).then, RETURN);
  return returned;
}

/** The verdict for a handler's return value. A plain value is the result of a success. */
export function verdictOf(returned: unknown): Verdict {
  if (isVerdict(returned)) return returned;
  if (typeof returned === 'function' || typeof returned === 'symbol' || typeof returned === 'bigint') {
    throw new IllegalVerdict(`${RETURN}, but it returned a ${typeof returned}`);
  }
  return succeed(returned);
}

/** Asking an object what it is may throw. */
const isVerdict = (returned: unknown): returned is Verdict => readOrIllegal(() => returned instanceof Verdict, RETURN);

/** The failure for a thrown error. An error whose `class` is one of Waybill's keeps it, and one whose `final` is true is final. */
export function failureOf(thrown: unknown): Verdict {
  return new Verdict({ type: 'fail', error: reportOf(thrown), ...(isFinal(thrown) && { final: true }) });
}

export const isFinal = (thrown: unknown): boolean => memberOf(thrown, 'final') === true;

/**
 * The verdict to report in place of a refused one, which is final: the handler has done its work, and would report the
 * same again. A failure keeps its message, class and finality, and nothing else that could be refused.
 */
export function failureInsteadOf(verdict: SettleVerdict, refusal: Error): SettleVerdict {
  const code = refusal instanceof WaybillError ? ` ${refusal.code}` : '';
  const words = `Expected to settle as '${verdict.type}', but${code}: ${refusal.message}`;
  if (verdict.type !== 'fail')
    return {
      type: 'fail',
      final: !isUndone(verdict, refusal),
      error: { message: fitting(words), class: classOf(refusal) },
    };
  const { error, final } = verdict;
  const message = fitting(`${error.message}\n${words}`);
  const errorClass = error.class !== undefined && { class: error.class };
  return { type: 'fail', error: { message, ...errorClass }, ...(final !== undefined && { final }) };
}

/** The history of the task is full, so the task cannot wait or be returned. It waits for a person, or for a worker that can run it. */
const isUndone = ({ type }: SettleVerdict, refusal: Error): boolean =>
  (type === 'return' || type === 'wait') && refusal instanceof WaybillError && refusal.code === 'HISTORY_FULL';

/** What is too large is no bug of the handler: it depends on the task. */
const classOf = (refusal: Error): ErrorClass =>
  refusal instanceof WaybillError && refusal.status === TOO_LARGE ? 'business' : 'bug';

const TOO_LARGE = 413;

/** An error in the form that the service records. It classifies an error that has none of its classes. */
export function reportOf(thrown: unknown): ErrorReport {
  const own = memberOf(thrown, 'class');
  const stack = stackOf(thrown);
  return {
    message: fitting(describe(thrown)),
    ...(isErrorClass(own) && { class: own }),
    ...(stack !== undefined && { details: { stack } }),
  };
}

/** NUL and lone surrogates, which the service cannot store. Cutting a text may leave one. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

/** The message in a form that the service accepts: cut, and with a mark for each character that cannot be stored. */
const fitting = (message: string): string => cut(message).replace(UNSTORABLE, '\uFFFD') || 'unknown';

const CUT = `\n… cut at ${MESSAGE_CHARACTERS} characters`;

const cut = (message: string): string =>
  message.length <= MESSAGE_CHARACTERS ? message : message.slice(0, MESSAGE_CHARACTERS - CUT.length) + CUT;

const isErrorClass = (value: unknown): value is ErrorClass => ERROR_CLASSES.some((each) => each === value);

function errorReport(errorClass: unknown, message: unknown, details: unknown): ErrorReport {
  if (!isErrorClass(errorClass)) {
    throw new IllegalVerdict(
      `Expected an error class of ${ERROR_CLASSES.join(', ')}, but got '${describe(errorClass)}'`,
    );
  }
  if (typeof message !== 'string' || message === '') {
    throw new IllegalVerdict(`Expected a failure to have a message, but got '${describe(message)}'`);
  }
  return { message: fitting(message), class: errorClass, ...(details !== undefined && { details: carried(details) }) };
}

const carried = (value: unknown): unknown => sendable(value, RETURN);

/**
 * The value as it is now, in plain data. Throws if it cannot be sent: when it is sent, this would spoil the whole batch,
 * also if somebody changed the value meanwhile.
 */
export const sendable = <T>(value: T, expected: string): T => readOrIllegal(() => jsonCopy(value), expected) as T;

/** What a handler says in the options of a report. */
export function recordedBy<Options extends object>(
  call: Parameters<typeof assertOptions>[0],
  options: Options,
): Options {
  const recorded = readOrIllegal(() => ({ ...options }), `Expected to read the options of ${call}`);
  try {
    assertOptions(call, recorded);
  } catch (error) {
    throw new IllegalVerdict(describe(error), { cause: error });
  }
  return recorded;
}

/** What reading a handler's report gives. A report that throws when it is read cannot be recorded. `expected` begins the sentence. */
export function readOrIllegal<T>(read: () => T, expected: string): T {
  try {
    return read();
  } catch (error) {
    throw new IllegalVerdict(`${expected}, but: ${describe(error)}`, { cause: error });
  }
}
