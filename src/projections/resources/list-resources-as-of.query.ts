import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { resourceStream } from '../../domain/resource/resource.stream.js';
import type { Page } from '../kernel/page.js';
import { namesIn, pageAsOf, type PastPageRequest } from '../kernel/page-as-of.js';
import { Past } from '../kernel/past.port.js';
import { NOT_TOLD, resourceAt } from './get-resource-as-of.query.js';
import type { ResourceView } from './resources.queries.js';

export interface PastResources {
  readonly view: Page<ResourceView>;
  readonly notRecorded: typeof NOT_TOLD;
}

/** The resources that were defined, by name. Throws `InvalidCursor`. */
export class ListResourcesAsOf extends Query<PastResources> {
  constructor(readonly page: PastPageRequest) {
    super();
  }
}

@QueryHandler(ListResourcesAsOf)
export class ListResourcesAsOfHandler implements IQueryHandler<ListResourcesAsOf> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  async execute({ page }: ListResourcesAsOf): Promise<PastResources> {
    const { items, nextCursor } = await pageAsOf(this.past, page, {
      identity: { list: 'resources' },
      namesAfter: namesIn(this.db, 'resources', "state = 'defined'", page),
      streamOf: resourceStream,
      isListed: (history) => resourceAt(history) !== null,
    });
    return { view: { items: items.map(({ history }) => resourceAt(history)!), nextCursor }, notRecorded: NOT_TOLD };
  }
}
