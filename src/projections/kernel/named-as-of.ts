import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { Recorded } from './event-log.port.js';
import type { Page } from './page.js';
import { namesIn, pageAsOf, type PastPageRequest } from './page-as-of.js';
import { type Moment, NotThereThen, Past } from './past.port.js';
import { streamAsOf } from './stream-as-of.js';

/** How something was. */
export interface PastView<V> {
  readonly view: V;
  /** The members that no event tells. */
  readonly notRecorded: readonly string[];
}

/** A kind of things that have names, and each a stream of which all of its view follows. */
export interface NamedKind<V> {
  /** The table of today's rows, and the identity of the list. */
  readonly rows: string;
  /** SQL: whether a row `r` is in the list now. */
  readonly isListedNow: string;
  readonly streamOf: (name: string) => string;
  /** The one with these events; null if it is deleted. */
  readonly at: (history: readonly Recorded[]) => PastView<V> | null;
  /** Whether it was in the list. */
  readonly isListed: (view: V) => boolean;
}

/** One as it was. Throws `NotThereThen`, also if it was deleted then. */
export class GetNamedAsOf<V> extends Query<PastView<V>> {
  constructor(
    readonly kind: NamedKind<V>,
    readonly name: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(GetNamedAsOf)
export class GetNamedAsOfHandler<V> implements IQueryHandler<GetNamedAsOf<V>> {
  constructor(private readonly past: Past) {}

  async execute({ kind, name, moment }: GetNamedAsOf<V>): Promise<PastView<V>> {
    const then = kind.at(await streamAsOf(this.past, kind.streamOf(name), moment));
    if (then === null) throw new NotThereThen(null);
    return then;
  }
}

/** Those that were in the list, by name. `notRecorded`: of any of them. Throws `InvalidCursor`. */
export class ListNamedAsOf<V> extends Query<PastView<Page<V>>> {
  constructor(
    readonly kind: NamedKind<V>,
    readonly page: PastPageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListNamedAsOf)
export class ListNamedAsOfHandler<V> implements IQueryHandler<ListNamedAsOf<V>> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  async execute({ kind, page }: ListNamedAsOf<V>): Promise<PastView<Page<V>>> {
    const { items, nextCursor } = await pageAsOf(this.past, page, {
      identity: { list: kind.rows },
      namesAfter: namesIn(this.db, kind.rows, kind.isListedNow, page),
      streamOf: kind.streamOf,
      isListed: (history) => {
        const then = kind.at(history);
        return then !== null && kind.isListed(then.view);
      },
    });
    const seen = items.map(({ history }) => kind.at(history)!);
    const notRecorded = [...new Set(seen.flatMap((one) => one.notRecorded))];
    return { view: { items: seen.map(({ view }) => view), nextCursor }, notRecorded };
  }
}
