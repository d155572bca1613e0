import type { Prerequisite, WorkerLabels } from '@waybill/client';
import { workerLabelValue } from '@waybill/client/words';
import { InvalidArgumentError } from 'commander';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { InexactNumber, parseExactly } from './exact-json.js';
import { UsageError } from './problems.js';

// Parsers of command line arguments.

export function whole(given: string): number {
  const value = Number(given);
  if (Number.isSafeInteger(value) && given.trim() !== '') return value;
  throw new InvalidArgumentError('Expected a whole number.');
}

export function atLeastOne(given: string): number {
  const value = whole(given);
  if (value >= 1) return value;
  throw new InvalidArgumentError('Expected a whole number, 1 or greater.');
}

/** A whole number from 1 to `most`. */
export const atMost =
  (most: number) =>
  (given: string): number => {
    const value = atLeastOne(given);
    if (value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${most}.`);
  };

/** 0 lets the system choose one. */
export function port(given: string): number {
  const value = whole(given);
  if (value >= 0 && value <= 65_535) return value;
  throw new InvalidArgumentError('Expected a port: a whole number from 0 to 65535.');
}

export function share(given: string): number {
  const value = Number(given);
  if (value > 0 && value <= 1 && given.trim() !== '') return value;
  throw new InvalidArgumentError("Expected a share, such as '0.8', of at most 1.");
}

export function position(given: string): string {
  if (/^[0-9]{1,18}$/.test(given)) return given;
  throw new InvalidArgumentError('Expected a position: a whole number of up to 18 digits.');
}

/** Node's timers take at most 2^31 milliseconds. A longer one fires at once. */
const MOST_SECONDS = 2_147_483;

export function seconds(given: string): number {
  const value = whole(given);
  if (value >= 1 && value <= MOST_SECONDS) return value;
  throw new InvalidArgumentError(`Expected a number of seconds from 1 to ${MOST_SECONDS}.`);
}

/** The service's pattern for names: of queues, and of the keys in its list. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** The rule of the service, which would not start with another name in its list of keys. */
export function keyName(given: string): string {
  if (NAME.test(given)) return given;
  throw new InvalidArgumentError(
    "Expected a name of up to 100 letters, digits, '.', '-' and '_' that begins with a letter or a digit.",
  );
}

/** JSON text. A string needs double quotes inside those of the shell. */
export function json(given: string): unknown {
  try {
    return parseExactly(given);
  } catch (error) {
    if (error instanceof InexactNumber) throw new InvalidArgumentError(`${error.message}.`);
    throw new InvalidArgumentError(`Expected JSON, such as '{"to":"ann"}' or '"text"'.`);
  }
}

export function jsonObject(given: string): Record<string, unknown> {
  const value = json(given);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new InvalidArgumentError(`Expected a JSON object, such as '{"leaseMs":60000}'.`);
}

/** For an option that may be repeated. */
export const repeated = (given: string, before: readonly string[] = []): readonly string[] => [...before, given];

/** What `--after` and `--after-batch` name. */
export const prerequisites = (given: {
  readonly after?: readonly string[];
  readonly afterBatch?: readonly string[];
}): Prerequisite[] => [
  ...(given.after ?? []).map((task) => ({ task })),
  ...(given.afterBatch ?? []).map((batch) => ({ batch })),
];

export const oneOf =
  (...choices: readonly string[]) =>
  (given: string): string => {
    if (choices.includes(given)) return given;
    throw new InvalidArgumentError(`Expected one of ${choices.join(', ')}.`);
  };

/** One of the choices, or several with commas between them. */
export const someOf =
  (...choices: readonly string[]) =>
  (given: string): string => {
    for (const one of given.split(',')) oneOf(...choices)(one);
    return given;
  };

/** Permissions of an API key, each for all queues or, as in `enqueue:mail`, for one. The option may be repeated. */
export const grants =
  (...permissions: readonly string[]) =>
  (given: string, before: readonly string[] = []): readonly string[] => {
    const [permission = '', ...queue] = given.split(':');
    oneOf(...permissions)(permission);
    if (queue.length > 1 || queue[0] === '')
      throw new InvalidArgumentError(`Expected a permission for one queue, such as ${permission}:mail.`);
    return before.includes(given) ? before : [...before, given];
  };

/** A label in the form `name=value`. */
export function label(given: string): readonly [name: string, value: string] {
  const [name, ...value] = given.split('=');
  if (name && value.length > 0) return [name, value.join('=')];
  throw new InvalidArgumentError("Expected a label, such as 'team=blue'.");
}

export const labels = (given: string, before: Readonly<Record<string, string>> = {}): Record<string, string> => {
  const [name, value] = label(given);
  return { ...before, [name]: value };
};

/** A label of a worker. */
export const workerLabels = (given: string, before: WorkerLabels = {}): WorkerLabels => {
  const [name, value] = label(given);
  return { ...before, [name]: workerLabelValue(value) };
};

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** A day or a time. `Date` alone also accepts 'day 5', as 1 May 2001. */
export function time(given: string): Date {
  const date = new Date(given);
  if (TIME.test(given) && !Number.isNaN(date.getTime())) return date;
  throw new InvalidArgumentError("Expected a time, such as '2030-01-31T09:00:00Z'.");
}

/** A time, or a duration before now, which the service computes. */
export const since = (given: string): string => {
  if (/^\d{1,6}[smhd]$/.test(given) || given === 'now') return given;
  const date = new Date(given);
  if (TIME.test(given) && !Number.isNaN(date.getTime())) return date.toISOString();
  throw new InvalidArgumentError("Expected a time, such as '2030-01-31T09:00:00Z', or a duration, such as '10m'.");
};

export function timeToCome(given: string): Date {
  const date = time(given);
  if (date.getTime() > Date.now()) return date;
  throw new InvalidArgumentError(`Expected a time in the future, but it is already ${new Date().toISOString()}.`);
}

/** The arguments, or the words of standard input if the argument is `-`. */
export async function listed(given: readonly string[], stdin: Readable): Promise<readonly string[]> {
  if (!given.includes('-')) return given;
  if (given.length > 1)
    throw new UsageError("Expected either ids or '-' (to read them from the standard input), but got both.");
  return (await text(stdin)).split(/\s+/).filter((line) => line !== '');
}

/** The argument, or standard input if the argument is `-`, parsed by `read`. */
export async function typedOrPiped<T>(given: string, stdin: Readable, read: (text: string) => T): Promise<T> {
  const piped = given === '-';
  const whole = piped ? await text(stdin) : given;
  try {
    return read(whole);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new UsageError(`error: ${piped ? 'the standard input' : `'${given}'`} is invalid. ${error.message}`);
  }
}

/** The first `limit` items, and whether there are more. */
export async function first<T>(all: AsyncIterable<T>, limit: number): Promise<{ items: T[]; more: boolean }> {
  const items: T[] = [];
  for await (const item of all) {
    if (items.length === limit) return { items, more: true };
    items.push(item);
  }
  return { items, more: false };
}
