/** What names an error: `HTTP 503`, `status code 429`, `SQLSTATE 23505`, `signal 9`, `ORA-00942`, `E11000`. */
const CODE =
  /(\b(?:(?:HTTP|http)(?:\/\d(?:\.\d)?)?|[Ss]tatus|[Cc]ode|errno|SQLSTATE|[Ss]ignal)\b[\s:=#(]*\d{1,6}\b|\b[A-Z]+[-_]?\d+\b)/;

/** Ids and numbers, which may differ from one failure to the next. */
const VARYING = /([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d+(?:[.,:]\d+)*)/i;

interface Part {
  readonly text: string;
  readonly varies: boolean;
}

/**
 * The message with `…` in place of its ids and numbers, but with the codes of errors, and with what `others`, messages of the same
 * cause, have in the same place, such as the number of a host.
 */
export function groupTitle(message: string, others: readonly string[] = []): string {
  const own = partsOf(message);
  const alike = others.map(partsOf).filter((parts) => parts.length === own.length);
  const isShared = (at: number): boolean =>
    alike.length > 0 && alike.every((parts) => parts[at]!.text === own[at]!.text);
  return own.map(({ text, varies }, at) => (varies && !isShared(at) ? '…' : text)).join('');
}

const partsOf = (message: string): readonly Part[] =>
  message
    .split(CODE)
    .flatMap((text, at) =>
      at % 2 === 1
        ? [{ text, varies: false }]
        : text.split(VARYING).map((part, n) => ({ text: part, varies: n % 2 === 1 })),
    );
