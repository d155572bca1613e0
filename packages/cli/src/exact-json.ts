/** A number that JavaScript cannot hold, so that another one would be sent. */
export class InexactNumber extends Error {
  override readonly name = 'InexactNumber';

  /** `typed`: the number as it stands in the text. */
  constructor(readonly typed: string) {
    super(`Expected numbers that JSON carries exactly, but got ${typed}: write it as text, "${typed}"`);
  }
}

/** Like `JSON.parse`, but throws `InexactNumber` where that would round an integer or make it infinite. */
export function parseExactly(text: string): unknown {
  const value: unknown = JSON.parse(text);
  for (const [token] of text.matchAll(TOKENS))
    if (!token.startsWith('"') && !isExact(token)) throw new InexactNumber(token);
  return value;
}

/** The texts and numbers in valid JSON. A number within a text is none. */
const TOKENS = /"(?:\\.|[^"\\])*"|-?\d[\d.eE+-]*/g;

function isExact(typed: string): boolean {
  const value = Number(typed);
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value));
}
