import { type CheckedLeaf, type LeafSource, type LogLeaf, LogLeaves } from '../../notary/log-leaves.port.js';
import { NOTARY_CATEGORY } from '../../../domain/notary/notary.stream.js';
import { categoryOf, idOfStream } from '../../../domain/aggregates.js';
import { erasedBy } from '../../notary/erased-halves.js';
import { type SaidOfLog, saidOfLog } from '../../notary/said-of-log.js';
import { leafHash } from '../../notary/segment-check.js';
import { type EventHalves, type HalfState, type OwnEvent, WHOLE_EVENTS } from './halves/event-halves.js';
import type { EventStoreDbLog } from './eventstoredb-log.js';
import { storedLeaf, storedSource } from './stored-leaf.js';

/** As builds write it. `Date.parse` makes a time of nearly any text. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/;
/** A read ends early where the events are large. */
const SOURCES_AT_ONCE = 500;

/** Of the events in EventStoreDB. */
export class EventStoreDbLeaves extends LogLeaves {
  constructor(
    private readonly log: Pick<EventStoreDbLog, 'readStoredAfter' | 'readStoredAt'>,
    private readonly halves: EventHalves = WHOLE_EVENTS,
  ) {
    super();
  }

  async after(position: bigint, limit: number): Promise<readonly LogLeaf[]> {
    return (await this.read(position, limit)).map(leafOf);
  }

  /** A leaf is made of the event itself. */
  async checked(position: bigint, limit: number): Promise<readonly CheckedLeaf[]> {
    const events = await this.read(position, limit);
    const states = await this.halves.inspect(events);
    return events.map((event, at) => checkedLeaf(event, states[at]!));
  }

  async sourcesAfter(position: bigint): Promise<readonly LeafSource[]> {
    return this.sourcesOf(await this.log.readStoredAfter(position, SOURCES_AT_ONCE));
  }

  async sources(positions: readonly bigint[]): Promise<readonly LeafSource[]> {
    const found: OwnEvent[] = [];
    for (const position of positions) found.push(await this.log.readStoredAt(position));
    return this.sourcesOf(found);
  }

  private async sourcesOf(events: readonly OwnEvent[]): Promise<readonly LeafSource[]> {
    const halves = await this.halves.reveal(events);
    return events.map(({ resolved, stream }, at) => storedSource(resolved, stream, halves[at]!));
  }

  /** A read ends early where the events are large. */
  private async read(position: bigint, limit: number): Promise<readonly OwnEvent[]> {
    const found: OwnEvent[] = [];
    while (found.length < limit) {
      const page = await this.log.readStoredAfter(
        found.at(-1)?.resolved.commitPosition ?? position,
        limit - found.length,
      );
      if (page.length === 0) break;
      found.push(...page);
    }
    return found;
  }
}

const leafOf = ({ resolved, stream }: OwnEvent): LogLeaf => storedLeaf(resolved, stream);

function checkedLeaf(event: OwnEvent, half: HalfState): CheckedLeaf {
  const { position, text } = leafOf(event);
  const stream = idOfStream(event.stream);
  return {
    first: null,
    position,
    recordedMs: recordedMsIn(text),
    hash: leafHash(text),
    notes: {
      isAltered: half === 'altered',
      missing: half === 'whole' ? [] : [{ position, stream }],
      erases: erasedBy({ type: event.resolved.event!.type, streams: [stream] }),
      says: saidIn(event, position),
    },
  };
}

/** Of the text of a leaf. */
function recordedMsIn(text: string): number {
  const time = text.split(' ', 5)[4]!;
  return TIME.test(time) ? Date.parse(time) : NaN;
}

function saidIn({ resolved, stream }: OwnEvent, position: bigint): readonly SaidOfLog[] {
  const category = categoryOf(stream);
  // The texts of others are not needed.
  if (category !== NOTARY_CATEGORY) return [];
  const { type, metadata, data } = resolved.event!;
  return saidOfLog({ category, type, position, meta: JSON.stringify(metadata), data: JSON.stringify(data) });
}
