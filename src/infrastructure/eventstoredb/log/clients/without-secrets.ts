import { masked } from '../../../telemetry/masked.js';

/** A client logs its whole URL when it warns about an option. This removes the password from what `open` logs. */
export function withoutSecrets<T>(open: () => T): T {
  const { warn } = console;
  console.warn = (text: unknown) => warn(maskedLines(String(text)));
  try {
    return open();
  } finally {
    console.warn = warn;
  }
}

const maskedLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line.includes('://') ? masked(line) : line))
    .join('\n');
