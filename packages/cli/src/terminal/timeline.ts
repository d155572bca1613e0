import type { EventView } from '@waybill/client';
import { detailsOf, harmless, onOneLine, wrapped } from '@waybill/client/words';
import type { Paint } from './paint.js';

const COLUMNS = { position: 9, time: 14, event: 19, actor: 14 };

/** A task's events, one or more lines each: position, time, event, who, details. */
export function timeline(events: readonly EventView[], paint: Paint, width: number): string[] {
  const { position, time, event, actor } = COLUMNS;
  const head = [
    'position'.padStart(position - 1),
    ' ',
    'time'.padEnd(time),
    'event'.padEnd(event),
    'who'.padEnd(actor),
  ];
  const indent = 2 + position + time + event + actor;
  return [
    `  ${paint.dim(`${head.join('')}details`)}`,
    ...events.flatMap((each) => {
      const [first = '', ...rest] = wrapped(harmless(detailsOf(each)), Math.max(20, width - indent));
      return [`  ${columns(each, paint)}${first}`, ...rest.map((text) => ' '.repeat(indent) + text)];
    }),
  ];
}

/** One event of any stream, on one line. */
export function eventLine(event: EventView, paint: Paint): string {
  const { stream, recordedAt } = event;
  const details = onOneLine(detailsOf(event));
  return `${recordedAt.slice(0, 10)} ${columns(event, paint)}${stream}${details && `  ${paint.dim(details)}`}`;
}

function columns({ position, recordedAt, type, envelope }: EventView, paint: Paint): string {
  return [
    paint.dim(position.padStart(COLUMNS.position - 1)),
    ' ',
    recordedAt.slice(11, 23).padEnd(COLUMNS.time),
    paint.cyan(cell(type, COLUMNS.event)),
    cell(onOneLine(envelope.actor), COLUMNS.actor),
  ].join('');
}

/** With a blank behind it, however long it is. */
const cell = (text: string, width: number): string => `${text} `.padEnd(width);
