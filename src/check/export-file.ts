import type { Envelope, RecordedEvent } from '../application/kernel/recorded-event.js';
import { eventCodec } from '../infrastructure/event-codec/event-codec.js';
import type { EventView } from '../projections/tasks/get-task-history.query.js';
import { bad, BadExport, linesOf, parsed } from './file-lines.js';

/** The first line of an export. */
export interface ExportHead {
  readonly format: typeof FORMAT;
  readonly version: number;
  /** Whether the events have their private halves. */
  readonly private: boolean;
}

/** A line of an event, as the API shows it to who may see all of it. */
type EventLine = EventView & { readonly envelope: Envelope };

/** The last line, without which the export was cut. */
interface EndLine {
  readonly end: { readonly events: number };
}

/** An event that cannot be read, and why. */
export interface Unreadable {
  readonly position: bigint;
  readonly stream: string;
  readonly reason: string;
}

const FORMAT = 'waybill-log';
const VERSION = 1;

/** A log as `waybill log export --format events` wrote it: a line of JSON for each event, as the API shows it, also compressed by gzip. It can be read any number of times. */
export class ExportFile {
  constructor(private readonly path: string) {}

  async head(): Promise<ExportHead> {
    for await (const [line] of linesOf(this.path)) return headIn(line!);
    throw new BadExport(`Expected '${this.path}' to be an export of a log, but it is empty`);
  }

  /** The stream and the position of each event, which costs less than the events. */
  async *places(): AsyncGenerator<readonly { readonly stream: string; readonly position: bigint }[]> {
    for await (const lines of this.eventLines())
      yield lines.map(([text, at]) => {
        const [, position, stream] = PLACE.exec(text) ?? [];
        if (position !== undefined && stream !== undefined) return { stream, position: BigInt(position) };
        const event = parsed(text, at) as unknown as EventLine;
        return { stream: event.stream, position: BigInt(event.position) };
      });
  }

  async *events(): AsyncGenerator<readonly (RecordedEvent | Unreadable)[]> {
    for await (const lines of this.eventLines()) yield lines.map(([text, at]) => eventIn(parsed(text, at), at));
  }

  /** The lines between the first and the last, with their numbers. Throws `BadExport` if there is no last one. */
  private async *eventLines(): AsyncGenerator<readonly Numbered[]> {
    let [at, end] = [0, null as EndLine | null];
    for await (const lines of linesOf(this.path)) {
      const events: Numbered[] = [];
      for (const line of lines) {
        if (end !== null) throw bad(at, 'no line after the end', line);
        if (++at === 1) headIn(line);
        else if (line.startsWith('{"end":')) end = parsed(line, at) as unknown as EndLine;
        else events.push([line, at]);
      }
      if (events.length > 0) yield events;
    }
    if (end === null)
      throw new BadExport(`Expected '${this.path}' to end with its last line, but it was cut at line ${at}`);
    if (end.end.events !== at - 2)
      throw new BadExport(`Expected '${this.path}' to have ${end.end.events} events, but it has ${at - 2}`);
  }
}

type Numbered = readonly [text: string, line: number];

/** The beginning of an event's line. */
const PLACE = /^\{"position":"(\d{1,19})","stream":"([^"\\]+)"/;

function headIn(line: string): ExportHead {
  const head = parsed(line, 1) as unknown as ExportHead;
  if (head.format !== FORMAT)
    throw bad(1, `an export of events, as 'waybill log export --format events' writes it`, line);
  if (head.version > VERSION) throw bad(1, `a format up to version ${VERSION}; use a newer Waybill`, line);
  return head;
}

function eventIn(line: Readonly<Record<string, unknown>>, at: number): RecordedEvent | Unreadable {
  if (!isEvent(line)) throw bad(at, 'an event', JSON.stringify(line));
  const { type, version, data, unreadable, stream, revision, id, recordedAt, envelope } = line as unknown as EventLine;
  const place = { position: BigInt(line['position'] as string), stream, revision, id, recordedAt, envelope };
  if (unreadable !== undefined) return { ...place, reason: unreadable };
  try {
    return { ...place, event: eventCodec.upcast(type, version, data) };
  } catch (error) {
    return { ...place, reason: (error as Error).message };
  }
}

const isEvent = ({
  position,
  stream,
  revision,
  type,
  recordedAt,
  envelope,
}: Readonly<Record<string, unknown>>): boolean =>
  typeof position === 'string' &&
  /^\d{1,19}$/.test(position) &&
  [stream, type, recordedAt].every((text) => typeof text === 'string') &&
  typeof revision === 'number' &&
  typeof envelope === 'object' &&
  envelope !== null;
