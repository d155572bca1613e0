import { isUtf8 } from 'node:buffer';

/** Node reads headers as Latin-1. Text that is UTF-8 is taken as that, and all other as it is. */
export function textOfHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}
