import { describe, memberOf } from './thrown.js';

/** The service's limit, in bytes of UTF-8. */
const STACK_BYTES = 8 * 1_024;
const CUT = '\n… cut at 8 KiB';
/** A stack begins with the message, which is told beside it: a long one would leave no room for anything else. */
const MESSAGE_CHARACTERS = 1_000;

/** NUL and halves of surrogate pairs: the service cannot store them. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

/**
 * Where an error was thrown, and what caused it; undefined where that is no more than its message. Errors may be anything: they may
 * refer to each other in circles, and without end.
 */
export function stackOf(thrown: unknown): string | undefined {
  const trace = new Trace();
  trace.add('', thrown);
  return trace.saysMore ? cut(trace.text.replace(UNSTORABLE, '\uFFFD')) : undefined;
}

class Trace {
  text = '';
  /** There is a stack, or a cause. */
  saysMore = false;
  private readonly seen = new Set<unknown>();

  add(heading: string, error: unknown): void {
    if (this.text.length > STACK_BYTES) return;
    if (this.seen.has(error)) return this.write(`${heading}${inShort(describe(error))} (as above)`);
    if (Object(error) === error) this.seen.add(error);
    const stack = stackIn(error);
    this.saysMore ||= stack !== null || heading !== '';
    this.write(heading + (stack ?? inShort(describe(error))));
    this.addCauses(error);
  }

  private addCauses(error: unknown): void {
    const cause = memberOf(error, 'cause') ?? null;
    if (cause !== null) this.add('\nCaused by: ', cause);
    for (const each of errorsIn(error)) {
      if (this.text.length > STACK_BYTES) return;
      this.add('\nOne of its errors: ', each);
    }
  }

  private write(text: string): void {
    this.text += text.slice(0, STACK_BYTES + 1);
  }
}

function stackIn(error: unknown): string | null {
  const [stack, message] = [memberOf(error, 'stack'), memberOf(error, 'message')];
  if (typeof stack !== 'string' || stack === '') return null;
  return typeof message === 'string' ? stack.replace(message, () => inShort(message)) : stack;
}

/** Of an `AggregateError` and its like, one by one: each may throw when it is looked at. */
function* errorsIn(error: unknown): Generator<unknown> {
  const errors = memberOf(error, 'errors');
  const count = memberOf(errors, 'length');
  if (typeof errors !== 'object' || typeof count !== 'number') return;
  for (let at = 0; at < count; at++) yield memberOf(errors, String(at));
}

const inShort = (message: string): string =>
  message.length <= MESSAGE_CHARACTERS ? message : `${message.slice(0, MESSAGE_CHARACTERS)}…`;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** On a character's boundary. */
function cut(text: string): string {
  const utf8 = encoder.encode(text);
  if (utf8.length <= STACK_BYTES) return text;
  let end = STACK_BYTES - encoder.encode(CUT).length;
  while (isWithinCharacter(utf8[end]!)) end--;
  return decoder.decode(utf8.subarray(0, end)) + CUT;
}

const isWithinCharacter = (byte: number): boolean => (byte & 0xc0) === 0x80;
