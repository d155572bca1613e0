import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { RecordedEvent } from '../../../src/application/kernel/recorded-event.js';
import { publicHalf } from '../../../src/domain/public-half.js';

/** Writes events as `waybill log export` does. */
export function writeExport(
  path: string,
  events: readonly RecordedEvent[],
  { isWhole = true, gzip = false }: { readonly isWhole?: boolean; readonly gzip?: boolean } = {},
): void {
  const lines = [
    { format: 'waybill-log', version: 1, private: isWhole },
    ...events.map((one) => lineOf(isWhole ? one : { ...one, event: publicHalf(one.event) })),
    { end: { events: events.length } },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(path, gzip ? gzipSync(text) : text);
}

const lineOf = ({ position, stream, revision, id, recordedAt, event, envelope }: RecordedEvent): object => ({
  position: String(position),
  stream,
  revision,
  id,
  type: event.type,
  version: event.version,
  recordedAt,
  data: event.data,
  envelope,
});
