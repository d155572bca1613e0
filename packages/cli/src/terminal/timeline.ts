import type { EventView, TaskErrorView } from '@waybill/client';
import { detailsOf, harmless, onOneLine, stackOf, wrapped } from '@waybill/client/words';
import type { Paint } from './paint.js';

const COLUMNS = { position: 9, time: 14, event: 19, actor: 14 };

/**
 * Prints a task's events, one or more lines each: position, time, event, actor and details, and the day whenever it
 * changes.
 */
export class Timeline {
  private day = '';

  constructor(
    private readonly paint: Paint,
    private readonly width: number,
    /** Whether to print the stacks of errors. */
    private readonly hasStacks = false,
  ) {}

  head(): string {
    const { position, time, event, actor } = COLUMNS;
    const titles = [
      'position'.padStart(position - 1),
      ' ',
      'time (UTC)'.padEnd(time),
      'event'.padEnd(event),
      'who'.padEnd(actor),
      'details',
    ];
    return `  ${this.paint.dim(titles.join(''))}`;
  }

  of(event: EventView): string[] {
    const indent = 2 + COLUMNS.position + COLUMNS.time + COLUMNS.event + COLUMNS.actor;
    const details = wrapped(harmless(detailsOf(event)), Math.max(20, this.width - indent));
    // Details begin below a name that is too long for its column.
    const [first = '', ...rest] = overflows(event) && details[0] !== '' ? ['', ...details] : details;
    const lines = [`  ${columns(event, this.paint)}${first}`, ...rest.map((text) => ' '.repeat(indent) + text)];
    return [...this.dayOf(event), ...lines, ...(this.hasStacks ? stackLines(event) : [])];
  }

  private dayOf({ recordedAt }: EventView): string[] {
    const day = recordedAt.slice(0, 10);
    if (day === this.day) return [];
    this.day = day;
    return [`${' '.repeat(2 + COLUMNS.position)}${this.paint.dim(day)}`];
  }
}

/** The lines of an error's stack, indented beyond the positions, so that none of them looks like an event. */
function stackLines({ data }: EventView): string[] {
  const stack = stackOf(data.error as TaskErrorView | undefined);
  if (stack === null) return [];
  return harmless(stack)
    .split('\n')
    .map((line) => ' '.repeat(4 + COLUMNS.position) + line);
}

export function timeline(events: readonly EventView[], paint: Paint, width: number): string[] {
  const lines = new Timeline(paint, width);
  return [lines.head(), ...events.flatMap((event) => lines.of(event))];
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
    paint.event(cell(type, COLUMNS.event)),
    cell(onOneLine(envelope.actor), COLUMNS.actor),
  ].join('');
}

const overflows = ({ type, envelope }: EventView): boolean =>
  type.length >= COLUMNS.event || onOneLine(envelope.actor).length >= COLUMNS.actor;

/** Pads the text to the width, with a blank after it even if it is longer. */
const cell = (text: string, width: number): string => `${text} `.padEnd(width);
