import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, Not } from 'typeorm';
import type { FiringProblem, Owed, Skipped, TriggerDefinition } from '../../domain/trigger/trigger.events.js';
import { rowsByName } from '../kernel/cut-rows.js';
import { pageByName } from '../kernel/page-by-name.js';
import type { Page } from '../kernel/page.js';
import { TriggerEntity } from './trigger.entity.js';

export type TriggerRow = TriggerDefinition & {
  readonly name: string;
  readonly state: 'enabled' | 'disabled';
  /** The first occurrence that has not fired, or the next look into the queue; null while the trigger is disabled. */
  readonly next: string | null;
  /** What is open of a former pattern, and the first occurrence of the present one. */
  readonly owed: Owed | null;
  /** What `missed` left out last. */
  readonly skipped: Skipped | null;
  readonly last: LastFiring | null;
  /** The last task that a queue trigger claimed. */
  readonly lastItem: string | null;
  /** Null if the last occurrence fired. */
  readonly failure: {
    readonly failures: number;
    readonly problem: FiringProblem;
    readonly retryAt: string | null;
  } | null;
  readonly revision: number;
  readonly position: string;
};

export interface LastFiring {
  readonly occurrence: string;
  readonly task: string;
  readonly firedAt: string;
}

/** Null if no trigger has the name. */
export class GetTrigger extends Query<TriggerRow | null> {
  constructor(readonly name: string) {
    super();
  }
}

@QueryHandler(GetTrigger)
export class GetTriggerHandler implements IQueryHandler<GetTrigger> {
  constructor(private readonly db: DataSource) {}

  async execute({ name }: GetTrigger): Promise<TriggerRow | null> {
    const row = await this.db.getRepository(TriggerEntity).findOneBy({ name, state: Not('deleted') });
    return row && rowOf(row);
  }
}

/** All triggers, by name. Throws `InvalidCursor`. */
export class ListTriggers extends Query<Page<TriggerRow>> {
  constructor(
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListTriggers)
export class ListTriggersHandler implements IQueryHandler<ListTriggers> {
  constructor(private readonly db: DataSource) {}

  async execute(asked: ListTriggers): Promise<Page<TriggerRow>> {
    const rows = () => this.db.createQueryBuilder(TriggerEntity, 't').where("t.state <> 'deleted'");
    const rowsAfter = (name: string, take: number) => rowsByName(rows, name, take);
    const nameOf = ({ name }: TriggerEntity): string => name;
    const { items, nextCursor } = await pageByName(asked, { list: 'triggers', rowsAfter, nameOf });
    return { items: items.map(rowOf), nextCursor };
  }
}

export function rowOf(row: TriggerEntity): TriggerRow {
  const { name, definition, nextAt, owed, skipped, lastItem, revision, position } = row;
  const state = row.state as TriggerRow['state'];
  const next = nextAt?.toISOString() ?? null;
  const last = lastOf(row);
  const failure = failureOf(row);
  return { name, state, ...definition, next, owed, skipped, last, lastItem, failure, revision, position };
}

const lastOf = ({ lastAt, lastTask, firedAt }: TriggerEntity): TriggerRow['last'] =>
  lastAt && { occurrence: lastAt.toISOString(), task: lastTask!, firedAt: firedAt!.toISOString() };

const failureOf = ({ failures, problem, retryAt }: TriggerEntity): TriggerRow['failure'] =>
  problem && { failures, problem, retryAt: retryAt?.toISOString() ?? null };
