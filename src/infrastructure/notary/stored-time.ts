/** Postgres counts microseconds since 2000. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const MICROSECONDS = 1_000_000;

/** The last second that was written, and its text up to the point, because many events have the same. */
let written = NaN;
let text = '';

/** Of a column, in microseconds since 2000. What no build writes, such as `infinity`, is NaN: numbers have no room for it. */
export function storedMicroseconds(bytes: Buffer, at: number): number {
  const count = bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
  return Number.isSafeInteger(count) ? count : NaN;
}

/** Since 1970, as `Date` has it. */
export const millisecondsOf = (microseconds: number): number => EPOCH_MS + Math.floor(microseconds / 1_000);

/** As leaves have it, such as `2026-11-27T10:00:00.120000Z`; `-` for NaN. */
export function timeText(microseconds: number): string {
  if (Number.isNaN(microseconds)) return '-';
  const second = Math.floor(microseconds / MICROSECONDS);
  if (second !== written) {
    text = new Date(EPOCH_MS + second * 1_000).toISOString().slice(0, -'000Z'.length);
    written = second;
  }
  return `${text}${String(microseconds - second * MICROSECONDS).padStart(6, '0')}Z`;
}
