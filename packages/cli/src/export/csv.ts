import type { EventView } from '@waybill/client';
import { harmless, jsonLine } from '@waybill/client/words';
import type { EventFormat } from './event-format.js';

/** Spreadsheets compute a cell that begins with one of these, and anybody who names an actor could write a formula. */
const FORMULA = /^[=+\-@\t\r]/;

const COLUMNS: Readonly<Record<string, (event: EventView) => string>> = {
  position: ({ position }) => position,
  id: ({ id }) => id,
  stream: ({ stream }) => inert(stream),
  revision: ({ revision }) => String(revision),
  type: ({ type }) => type,
  version: ({ version }) => String(version),
  recordedAt: ({ recordedAt }) => recordedAt,
  actor: ({ envelope }) => inert(envelope.actor ?? ''),
  envelope: ({ envelope }) => jsonLine(envelope),
  data: ({ data }) => jsonLine(data),
  unreadable: ({ unreadable = '' }) => inert(unreadable),
};

/** RFC 4180: a row an event after a header. What has no column of its own is in `envelope` and `data`, as JSON, and unchanged. */
export const csv: EventFormat = async function* (events) {
  yield rowOf(Object.keys(COLUMNS));
  for await (const event of events) yield rowOf(Object.values(COLUMNS).map((cellOf) => cellOf(event)));
};

const inert = (text: string): string => harmless(FORMULA.test(text) ? `'${text}` : text);

/** The line feed of the row follows with the end of the line. */
const rowOf = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\r`;

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
