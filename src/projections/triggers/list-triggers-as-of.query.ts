import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { triggerStream } from '../../domain/trigger/trigger.stream.js';
import type { Page } from '../kernel/page.js';
import { namesIn, pageAsOf, type PastPageRequest } from '../kernel/page-as-of.js';
import { Past } from '../kernel/past.port.js';
import { triggerAt } from './get-trigger-as-of.query.js';
import type { TriggerRow } from './triggers.queries.js';

export interface PastTriggers {
  readonly view: Page<TriggerRow>;
  /** `next`, if a trigger of a queue is among them. */
  readonly notRecorded: readonly 'next'[];
}

/** The triggers that there were, by name. Throws `InvalidCursor`. */
export class ListTriggersAsOf extends Query<PastTriggers> {
  constructor(readonly page: PastPageRequest) {
    super();
  }
}

@QueryHandler(ListTriggersAsOf)
export class ListTriggersAsOfHandler implements IQueryHandler<ListTriggersAsOf> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  async execute({ page }: ListTriggersAsOf): Promise<PastTriggers> {
    const { items, nextCursor } = await pageAsOf(this.past, page, {
      identity: { list: 'triggers' },
      namesAfter: namesIn(this.db, 'triggers', "state <> 'deleted'", page),
      streamOf: triggerStream,
      isListed: (history) => triggerAt(history) !== null,
    });
    const seen = items.map(({ history }) => triggerAt(history)!);
    const notRecorded = [...new Set(seen.flatMap((one) => one.notRecorded))];
    return { view: { items: seen.map(({ view }) => view), nextCursor }, notRecorded };
  }
}
