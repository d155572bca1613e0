import type { Json } from './json.js';

/** What a failure says of itself. */
export interface Failure {
  readonly class: string;
  /** Absent if it was erased. */
  readonly message?: string;
  readonly details?: Json;
  readonly frame?: string;
}

/** A message that matches has the text, with the parts of the match (`$1`, `$<name>`), in place of its own outline. */
export interface FailureRule {
  readonly match: RegExp;
  readonly as: string;
}

/** Messages that begin alike for so long have the same cause. */
const MESSAGE_CHARACTERS = 2_000;
const FRAME_CHARACTERS = 200;

/** What differs from one failure to the next although the cause is the same, the longest kinds first. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/"[^"\n]*"|`[^`\n]*`|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])|[“„«][^”“»\n]*[”“»]/gu, '"#"'],
  [/\b[a-z][a-z\d+.-]{0,30}:\/\/[^\s"'<>)\]}]+/gi, '#url'],
  [/(?<![\w.+-])[\w.+-]{1,64}@[\w.-]+/g, '#mail'],
  [
    /\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?|\b\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?\b/g,
    '#',
  ],
  [/(?<![\w./\\])(?:[A-Za-z]:[\\/]|\.{0,2}\/|~\/)[^\s"'`,;:()[\]{}<>|]+/g, '#path'],
  [/(?<![\w-])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\w-])/gi, '#'],
  [/(?<![\w-])[\w-]*\d(?:[\w-]|[.,](?=\d))*/g, '#'],
  [/#(?:[\s,;|]+#(?![\w"]))+/g, '#'],
];

/**
 * What a failure has in common with others of the same cause: its class, its message without what varies (numbers, ids, paths,
 * addresses, quoted values, times), and the function in which it was thrown, as text.
 */
export const fingerprint = (error: Failure, rules: readonly FailureRule[] = []): string =>
  [error.class, outline(error.message, rules), topFrame(error) ?? ''].join('\n');

/** The message without what varies; empty if it was erased. The first rule that matches decides. */
export function outline(message: string | undefined, rules: readonly FailureRule[] = []): string {
  const text = (message ?? '').slice(0, MESSAGE_CHARACTERS);
  for (const { match, as } of rules) {
    const found = match.exec(text);
    if (found) return filled(as, found);
  }
  const fixed = VARYING.reduce((before, [pattern, stands]) => before.replace(pattern, stands), text);
  return fixed.replace(/\s+/g, ' ').trim();
}

const filled = (as: string, found: RegExpExecArray): string =>
  as.replace(/\$(?:(\d)|<(\w+)>)/g, (_, number?: string, name?: string) =>
    number === undefined ? (found.groups?.[name!] ?? '') : (found[Number(number)] ?? ''),
  );

/** The function and the file in which the error was thrown, without line and folder; null if it has no stack that says so. */
export function topFrame({ details, frame }: Failure): string | null {
  if (frame !== undefined) return frame;
  const { stack } = Object(details) as { readonly stack?: unknown };
  if (typeof stack !== 'string') return null;
  const lines = stack.split('\n');
  const frames = stack.includes('most recent call last') ? lines.reverse().map(pythonFrame) : lines.map(frameIn);
  return frames.find((found) => found !== null) ?? null;
}

/** As in JavaScript and Java: `at send (/app/mail.js:10:5)`. What the runtime calls is no place in the user's code. */
function frameIn(line: string): string | null {
  const called = /^\s*at (?:async )?(?:new )?(.*)$/.exec(line)?.[1];
  if (called === undefined) return null;
  const named = /^(.*?) ?\(([^()]*)\)$/.exec(called);
  const [name, place] = named ? [named[1]!, named[2]!] : ['', called];
  if (/^(?:node:|native\b|<anonymous>)/.test(place)) return null;
  return placed(name, place.replace(/(?::\d+){1,2}$/, ''));
}

/** As in Python, where the last line is the innermost: `File "/app/mail.py", line 10, in send`. */
function pythonFrame(line: string): string | null {
  const found = /^\s*File "([^"]*)", line \d+, in (.*)$/.exec(line);
  return found && placed(found[2]!, found[1]!);
}

/** Names of bundles contain a hash. */
function placed(name: string, place: string): string {
  const file = place.slice(Math.max(place.lastIndexOf('/'), place.lastIndexOf('\\')) + 1);
  return `${name} ${file.replace(/(?<![\w-])[\w-]*\d[\w-]*/g, '#')}`.trim().slice(0, FRAME_CHARACTERS);
}
