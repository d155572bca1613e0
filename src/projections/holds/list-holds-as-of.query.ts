import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { holdStream } from '../../domain/hold/hold.stream.js';
import type { Page } from '../kernel/page.js';
import { namesIn, pageAsOf, type PastPageRequest } from '../kernel/page-as-of.js';
import { Past } from '../kernel/past.port.js';
import { holdAt, NOT_TOLD } from './get-hold-as-of.query.js';
import type { HoldView } from './holds.queries.js';

export interface PastHolds {
  readonly view: Page<HoldView>;
  readonly notRecorded: typeof NOT_TOLD;
}

/** The holds that were in force, by name. Throws `InvalidCursor`. */
export class ListHoldsAsOf extends Query<PastHolds> {
  constructor(readonly page: PastPageRequest) {
    super();
  }
}

@QueryHandler(ListHoldsAsOf)
export class ListHoldsAsOfHandler implements IQueryHandler<ListHoldsAsOf> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  async execute({ page }: ListHoldsAsOf): Promise<PastHolds> {
    const { items, nextCursor } = await pageAsOf(this.past, page, {
      identity: { list: 'holds' },
      namesAfter: namesIn(this.db, 'holds', 'label is not null', page),
      streamOf: holdStream,
      isListed: (history) => holdAt(history).state === 'placed',
    });
    return { view: { items: items.map(({ history }) => holdAt(history)), nextCursor }, notRecorded: NOT_TOLD };
  }
}
