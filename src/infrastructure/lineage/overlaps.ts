import type { EventReads } from '../../application/kernel/event-store.port.js';
import type { LogSegment } from '../../application/kernel/log-segment.js';
import { readEach, UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import type { Recorded } from '../../projections/kernel/event-log.port.js';
import { type Overlap, overlapAt } from '../../projections/overlaps/overlap.js';

export type { Overlap } from '../../projections/overlaps/overlap.js';

/** Finds, for each report that came too late, whether another attempt had begun by then. Such reports are rare. */
export class Overlaps {
  constructor(private readonly log: Pick<EventReads, 'readFirst'>) {}

  async foundIn(segments: readonly LogSegment[]): Promise<readonly Overlap[]> {
    const late = segments
      .filter(({ type }) => type === 'TaskLateReportRefused')
      .flatMap((segment) => segment.shown())
      .filter(({ unreadable }) => unreadable === undefined);
    if (late.length === 0) return [];
    const found = await readEach(
      late.map(({ stream }) => stream),
      (streams) => this.log.readFirst(streams),
      (history: readonly Recorded[]) => history,
    );
    return found.flatMap((history, at) =>
      history instanceof UnreadableStream ? [] : (overlapAt(history, late[at]!.position) ?? []),
    );
  }
}
