// The engine's own messages differ between versions of Node, and some contain no position.

export interface JsonTrouble {
  /** In UTF-16 units from the start of the text. */
  readonly at: number;
  /** The end of a sentence about that position, such as `there is '/' where a value should be`. */
  readonly words: string;
}

/**
 * What may come next. `item` and `name` begin the next part of a list or an object. The `first` ones may also end it.
 */
type Expected = 'value' | 'first item' | 'first name' | 'name' | 'colon' | 'comma' | 'end';

interface Token {
  readonly kind: '{' | '}' | '[' | ']' | ',' | ':' | 'text' | 'scalar';
  readonly end: number;
}

/** The first place at which a text stops being JSON; null if the text is JSON. */
export function jsonTrouble(text: string): JsonTrouble | null {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  for (let at = afterBlanks(text, 0); ; at = afterBlanks(text, at)) {
    if (at === text.length && expected === 'end') return null;
    const token = tokenAt(text, at);
    if ('words' in token) return token;
    const next: Expected | null = token.kind === null ? null : follow(expected, token.kind, open);
    if (next === null) return { at, words: `${found(text, at)} where ${inWords(expected, open)} should be` };
    expected = next;
    at = token.end;
  }
}

/** Consumes the token and returns what may follow; null if the token is not allowed here. */
function follow(expected: Expected, kind: Token['kind'], open: ('{' | '[')[]): Expected | null {
  const closes = kind === '}' ? '{' : kind === ']' ? '[' : null;
  if (closes !== null) {
    const mayClose = expected === 'comma' || expected === (closes === '{' ? 'first name' : 'first item');
    return mayClose && open.at(-1) === closes && open.pop() ? afterValue(open) : null;
  }
  switch (expected) {
    case 'value':
    case 'first item':
      return begin(kind, open);
    case 'name':
    case 'first name':
      return kind === 'text' ? 'colon' : null;
    case 'colon':
      return kind === ':' ? 'value' : null;
    case 'comma':
      return kind === ',' ? (open.at(-1) === '{' ? 'name' : 'value') : null;
    case 'end':
      return null;
  }
}

function begin(kind: Token['kind'], open: ('{' | '[')[]): Expected | null {
  if (kind === 'text' || kind === 'scalar') return afterValue(open);
  if (kind !== '{' && kind !== '[') return null;
  open.push(kind);
  return kind === '{' ? 'first name' : 'first item';
}

const afterValue = (open: readonly unknown[]): Expected => (open.length === 0 ? 'end' : 'comma');

const BLANKS = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function afterBlanks(text: string, at: number): number {
  BLANKS.lastIndex = at;
  BLANKS.test(text);
  return BLANKS.lastIndex;
}

function tokenAt(text: string, at: number): Token | { kind: null; end: number } | JsonTrouble {
  const first = text[at] ?? '';
  if (first !== '' && '{}[],:'.includes(first)) return { kind: first as Token['kind'], end: at + 1 };
  if (first === '"') return textAt(text, at);
  SCALAR.lastIndex = at;
  return SCALAR.test(text) ? { kind: 'scalar', end: SCALAR.lastIndex } : { kind: null, end: at };
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

function textAt(text: string, start: number): Token | JsonTrouble {
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) return { kind: 'text', end: at + 1 };
    if (unit < 0x20) return { at, words: 'there is a line break or another control character within a text' };
    if (unit !== 0x5c) continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) return { at, words: 'there is a backslash that escapes nothing' };
    at = ESCAPE.lastIndex - 1;
  }
  return { at: start, words: 'begins a text that is not closed' };
}

function inWords(expected: Expected, open: readonly string[]): string {
  const words: Record<Expected, string> = {
    value: 'a value',
    'first item': "a value or ']'",
    'first name': "a property name or '}'",
    name: 'a property name in double quotes',
    colon: "':'",
    comma: open.at(-1) === '{' ? "',' or '}'" : "',' or ']'",
    end: 'the end of the file',
  };
  return words[expected];
}

function found(text: string, at: number): string {
  const unit = text.codePointAt(at);
  return unit === undefined ? 'the file ends' : `there is '${String.fromCodePoint(unit)}'`;
}
