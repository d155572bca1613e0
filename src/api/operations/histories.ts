import { Injectable } from '@nestjs/common';
import { HistoryReader } from '../../application/history/history-reader.js';
import { StreamHistory } from '../../application/history/stream-history.js';
import type { Rejection } from '../../application/kernel/application-error.js';
import type { LogRange } from '../../application/kernel/event-store.port.js';
import { decodePastCursor, encodePastCursor } from '../../projections/kernel/past-cursor.js';
import { type Moment, NotThereThen, Past } from '../../projections/kernel/past.port.js';
import type { HistoryQuery } from '../dto/history.dto.js';
import { POSITION, sinceOf } from '../input/since.js';
import { eventViewOf } from './event-view.js';
import { PAGE } from './pages.js';
import { PastReads } from './past-reads.js';

/** Answers with what happened to one thing, up to a moment. */
@Injectable()
export class Histories {
  constructor(
    private readonly past: PastReads,
    private readonly moments: Past,
    private readonly log: HistoryReader,
    private readonly streams: StreamHistory,
  ) {}

  /** `absence`: the refusal if the stream had not begun; left out of what always exists. */
  of(stream: string, query: HistoryQuery, absence?: Rejection) {
    const { minPosition, asOf, cursor = null, limit = PAGE, ...asked } = query;
    const list = { list: 'history', stream, ...asked };
    const request = { asOf, minPosition, cursor, ...(absence && { absence }) };
    return this.past.asOf(request, async (moment) => {
      if (absence) await this.assertBegun(stream, moment);
      const seen = cursor === null ? 0n : BigInt(decodePastCursor(list, cursor, POSITION));
      const { events, next } = await this.streams.page(
        stream,
        await this.rangeOf(asked, seen, moment),
        limit,
        filterOf(asked),
      );
      const nextCursor = next === null ? null : encodePastCursor(list, moment, String(next));
      return { view: { items: events.map(eventViewOf), nextCursor } };
    });
  }

  private async assertBegun(stream: string, { position }: Moment): Promise<void> {
    const beginning = await this.moments.beginningOf(stream);
    if (beginning === null || beginning.position > position) throw new NotThereThen(beginning);
  }

  private async rangeOf({ since, until }: HistoryQuery, seen: bigint, { position }: Moment): Promise<LogRange> {
    const [begin, end] = await Promise.all([this.placeOf(since), this.placeOf(until)]);
    const after = begin !== null && begin > seen ? begin : seen;
    return { after, upTo: end !== null && end < position ? end : position };
  }

  private async placeOf(time: string | undefined): Promise<bigint | null> {
    return time === undefined ? null : this.log.positionOf(sinceOf(time));
  }
}

const filterOf = ({ actor, type }: HistoryQuery) => ({
  ...(actor !== undefined && { actor }),
  ...(type !== undefined && { types: [type] }),
});
