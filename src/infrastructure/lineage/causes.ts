import type { EventReads, RecordedEvent } from '../../application/kernel/event-store.port.js';
import type { LogSegment } from '../../application/kernel/log-segment.js';
import { readEach, UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import type { BatchEventOf } from '../../domain/batch/batch.events.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { isUuid } from '../../domain/kernel/patterns.js';
import { isReserved } from '../../domain/queue/reserved.policy.js';
import type { Submission } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { LineageKind } from '../../projections/lineage/lineage-kinds.js';
import { causesNamedIn, type NamedCause } from './named-causes.js';
import { Recent } from './recent.js';

/** A cause, what it led to, and how. */
export interface Link {
  readonly cause: string;
  readonly effect: string;
  readonly kind: LineageKind;
  readonly position: bigint;
}

/** The claims whose tasks are remembered: some 20 MB. What an older one led to is found by a look into the log. */
const REMEMBERED = 100_000;
const MOST_KNOWN = 10_000;
/** How far the clock that made the id of an event may differ from that of the log: usually, and at most. */
const SKEWS_MS = [1_000, 60_000];
/** Events that one look goes through at most. */
const LOOKED_AT = 10_000;
const SLICE = 500;

const REMEMBERED_TYPES: readonly string[] = ['TaskClaimed', 'BatchReported', 'BatchTaskReported'];

type Known = Recent<string | null>;

/** Finds the tasks and batches that events name as causes. What cannot be found is left out. */
export class Causes {
  private readonly recent: Recent<string>;
  private readonly planners: Known = new Recent(MOST_KNOWN);
  private readonly operations: Known = new Recent(MOST_KNOWN);

  constructor(
    private readonly log: Pick<EventReads, 'readFirst' | 'scan' | 'positionBefore'>,
    remembered = REMEMBERED,
  ) {
    this.recent = new Recent(remembered);
  }

  async linksOf(segments: readonly LogSegment[]): Promise<readonly Link[]> {
    for (const segment of segments) this.remember(segment);
    const named = segments.flatMap(causesNamedIn);
    if (named.length === 0) return [];
    await this.learn(
      this.planners,
      named.flatMap(({ cause }) => ('plannerOf' in cause ? cause.plannerOf : [])),
      PLANNER,
    );
    await this.learn(
      this.operations,
      named.flatMap(({ cause }) => ('operation' in cause ? cause.operation : [])),
      OPERATION,
    );
    const links: Link[] = [];
    for (const one of named) {
      const cause = await this.found(one);
      if (cause !== null && cause !== one.effect && isUuid(cause) && isUuid(one.effect)) links.push({ ...one, cause });
    }
    return links;
  }

  private remember(segment: LogSegment): void {
    if (segment.type === 'BatchCreated')
      for (const { event } of segment.shown())
        this.planners.set((event.data as Created).batch, (event.data as Created).planner ?? null);
    if (!REMEMBERED_TYPES.includes(segment.type)) return;
    for (const { id, stream } of segment.shown()) this.recent.set(id, idIn(stream));
  }

  private async found({ cause, position }: NamedCause): Promise<string | null> {
    if ('id' in cause) return cause.id;
    if ('plannerOf' in cause) return this.planners.get(cause.plannerOf) ?? null;
    if ('operation' in cause) return this.operations.get(cause.operation) ?? null;
    return this.recent.get(cause.event) ?? (await this.inLog(cause.event, position));
  }

  /** Reads the beginnings of streams that are not known yet. */
  private async learn(known: Known, ids: readonly string[], { streamOf, meaning }: Lesson): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => isUuid(id) && known.get(id) === undefined);
    if (unknown.length === 0) return;
    const found = await readEach(
      unknown.map(streamOf),
      (streams) => this.log.readFirst(streams),
      ([first], stream) => (first ? meaning(first, idIn(stream)) : null),
    );
    unknown.forEach((id, at) => known.set(id, found[at] instanceof UnreadableStream ? null : found[at]!));
  }

  /** The id of an event tells when it was made. */
  private async inLog(event: string, upTo: bigint): Promise<string | null> {
    const made = timeIn(event);
    if (made === null) return null;
    for (const skew of SKEWS_MS) {
      const after = await this.log.positionBefore(new Date(made - skew).toISOString());
      const found = await this.between(after, upTo, event, made + skew);
      if (found !== null) return found;
    }
    return null;
  }

  private async between(after: bigint, upTo: bigint, event: string, until: number): Promise<string | null> {
    let looked = 0;
    for (let reached = after; reached < upTo && looked < LOOKED_AT;) {
      const slice = await this.log.scan({ after: reached, upTo }, SLICE, {});
      const found = slice.events.find(({ id }) => id === event);
      if (found) return idIn(found.stream);
      const last = slice.events.at(-1);
      if (last && Date.parse(last.recordedAt) > until) return null;
      looked += slice.events.length;
      reached = slice.reached;
    }
    return null;
  }
}

type Created = BatchEventOf<'BatchCreated'>['data'];

/** What the first event of a stream tells: the id of the cause, or that there is none. */
interface Lesson {
  readonly streamOf: (id: string) => string;
  readonly meaning: (first: RecordedEvent, id: string) => string | null;
}

const PLANNER: Lesson = {
  streamOf: batchStream,
  meaning: ({ event }) => (event.data as Partial<Created>).planner ?? null,
};

const OPERATION: Lesson = {
  streamOf: taskStream,
  meaning: ({ event }, id) => (isReserved((event.data as Submission).queue) ? id : null),
};

const idIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

/** The milliseconds in a UUIDv7; null for another id. */
function timeIn(id: string): number | null {
  return isUuid(id) && id[14] === '7' ? parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;
}
