import { describe, memberOf } from './thrown.js';

/** The service's limit, in bytes of UTF-8. */
const STACK_BYTES = 8 * 1_024;
const CUT = '\n… cut at 8 KiB';
/** A stack begins with the message, which is reported separately. A long message would leave no room for the rest. */
const MESSAGE_CHARACTERS = 1_000;

/** NUL and lone surrogates, which the service cannot store. */
const UNSTORABLE = /[\0\p{Surrogate}]/gu;

/**
 * Where an error was thrown, and its causes; undefined if that says no more than the message. Errors may be anything:
 * they may refer to each other in circles or without end.
 */
export function stackOf(thrown: unknown): string | undefined {
  const trace = new Trace();
  trace.add('', thrown);
  return trace.saysMore ? cut(trace.text.replace(UNSTORABLE, '\uFFFD')) : undefined;
}

class Trace {
  text = '';
  /** Whether there is a stack or a cause. */
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

/** The errors of an `AggregateError` or the like, one by one. Each may throw when it is read. */
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

/** Cuts at the boundary of a character. */
function cut(text: string): string {
  const utf8 = encoder.encode(text);
  if (utf8.length <= STACK_BYTES) return text;
  let end = STACK_BYTES - encoder.encode(CUT).length;
  while (isWithinCharacter(utf8[end]!)) end--;
  return decoder.decode(utf8.subarray(0, end)) + CUT;
}

const isWithinCharacter = (byte: number): boolean => (byte & 0xc0) === 0x80;
