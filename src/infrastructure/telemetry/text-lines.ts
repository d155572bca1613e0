import type { DestinationStream } from 'pino';

interface Line {
  readonly time: string;
  readonly level: string;
  readonly msg?: string;
  readonly context?: string;
  readonly stack?: string;
  readonly err?: { readonly stack?: string };
}

/** Log lines in a form for people: `08:30:01 INFO  Server: Listening on http://127.0.0.1:3000`. */
export const textLines = (destination: DestinationStream): DestinationStream => ({
  write: (json) => destination.write(textOf(JSON.parse(json) as Line)),
});

function textOf({ time, level, msg = '', context, stack, err, ...fields }: Line): string {
  const from = context ? `${context}: ` : '';
  const more = Object.keys(fields).length > 0 ? ` ${JSON.stringify(fields)}` : '';
  const trace = err?.stack ?? stack;
  return `${time.slice(11, 19)} ${level.toUpperCase().padEnd(5)} ${from}${msg}${more}\n${trace ? `${trace}\n` : ''}`;
}
