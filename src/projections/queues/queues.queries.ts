import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, type EntityManager, In, Not } from 'typeorm';
import type { QueueFailure } from '../../domain/queue/queue.events.js';
import { type QueuePolicy, wholePolicy } from '../../domain/queue/queue.policy.js';
import { isReserved } from '../../domain/queue/reserved.policy.js';
import type { Page } from '../kernel/page.js';
import { rowsByName } from '../kernel/cut-rows.js';
import { type OfService, within } from '../kernel/internal-queues.js';
import { inOneSnapshot } from '../kernel/one-snapshot.js';
import { pageByName } from '../kernel/page-by-name.js';
import type { ShownFailure } from '../kernel/shown-failure.js';
import { QueueEntity } from './queue.entity.js';

/** By the ids of the tasks. */
type Messages = ReadonlyMap<string, string | null>;

export interface QueueView {
  readonly name: string;
  /** Follows from the name: a queue that is deleted and defined again keeps it. */
  readonly id: string;
  /** Whether it is one of the service's own, to which nobody else adds tasks. */
  readonly internal: boolean;
  readonly description: string;
  readonly state: 'active' | 'paused' | 'waiting' | 'finished';
  readonly intake: { readonly open: boolean; readonly by?: string; readonly reason?: string | null };
  readonly pause?: {
    readonly by: string;
    readonly reason: string | null;
    readonly until: string | null;
    readonly failure: ShownFailure | null;
  };
  /** For a waiting queue: the queues it waits for that are not finished yet. */
  readonly waitingFor?: readonly string[];
  readonly policy: QueuePolicy;
  readonly policyVersion: number;
  readonly revision: number;
  readonly position: string;
  /** When a queue of this name was first defined. */
  readonly createdAt: string;
  /** When anything about the queue last changed, except for its tasks. */
  readonly updatedAt: string;
}

/** Null if there is no such queue. A deleted queue's name is free. */
export class GetQueue extends Query<QueueView | null> {
  constructor(readonly name: string) {
    super();
  }
}

/** The names of the queues that have these ids, also of deleted ones, whose events still are theirs. */
export class FindQueueNames extends Query<ReadonlyMap<string, string>> {
  constructor(readonly ids: readonly string[]) {
    super();
  }
}

@QueryHandler(FindQueueNames)
export class FindQueueNamesHandler implements IQueryHandler<FindQueueNames> {
  constructor(private readonly db: DataSource) {}

  async execute({ ids }: FindQueueNames): Promise<ReadonlyMap<string, string>> {
    const rows = await this.db.query<Pick<QueueView, 'id' | 'name'>[]>(
      'select id, name from queues where id = any ($1::uuid[])',
      [ids],
    );
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

@QueryHandler(GetQueue)
export class GetQueueHandler implements IQueryHandler<GetQueue> {
  constructor(private readonly db: DataSource) {}

  execute({ name }: GetQueue): Promise<QueueView | null> {
    return inOneSnapshot(this.db, async (db) => {
      const row = await db.getRepository(QueueEntity).findOneBy({ name, status: Not('deleted') });
      return row && viewOf(row, await finishedAmong(db, [row]), await messagesOf(db, [row]));
    });
  }
}

export type QueuePage = Page<QueueView>;

/** All queues, by name. Throws `InvalidCursor`. */
export class ListQueues extends Query<QueuePage> {
  constructor(
    readonly cursor: string | null,
    readonly limit: number,
    readonly filter: OfService = {},
  ) {
    super();
  }
}

@QueryHandler(ListQueues)
export class ListQueuesHandler implements IQueryHandler<ListQueues> {
  constructor(private readonly db: DataSource) {}

  execute(asked: ListQueues): Promise<QueuePage> {
    return inOneSnapshot(this.db, (db) => pageIn(db, asked));
  }
}

async function pageIn(db: EntityManager, asked: ListQueues): Promise<QueuePage> {
  const { filter } = asked;
  const all = () => db.createQueryBuilder(QueueEntity, 't').where("t.status <> 'deleted'");
  const rows = () => all().andWhere(within('t.name', filter));
  const rowsAfter = (name: string, take: number) => rowsByName(rows, name, take);
  const nameOf = ({ name }: QueueEntity): string => name;
  const { items, nextCursor } = await pageByName(asked, { list: 'queues', filter, rowsAfter, nameOf });
  const finished = await finishedAmong(db, items);
  const messages = await messagesOf(db, items);
  return { items: items.map((row) => viewOf(row, finished, messages)), nextCursor };
}

/** The newest errors of the tasks whose failures paused these queues. */
async function messagesOf(db: EntityManager, rows: readonly QueueEntity[]): Promise<Messages> {
  const ids = rows.flatMap(({ pauseFailure }) => (pauseFailure ? [pauseFailure.taskId] : []));
  if (ids.length === 0) return new Map();
  const found = await db.query<{ task_id: string; error: string | null }[]>(
    'select task_id, error from known_tasks where task_id = any($1)',
    [ids],
  );
  return new Map(found.map(({ task_id, error }) => [task_id, error]));
}

/** The finished ones among the queues that these rows wait for. */
async function finishedAmong(db: EntityManager, rows: readonly QueueEntity[]): Promise<ReadonlySet<string>> {
  const awaited = rows.flatMap(({ status, policy }) => (status === 'waiting' ? policy.waitsFor : []));
  if (awaited.length === 0) return new Set();
  const finished = await db.getRepository(QueueEntity).findBy({ name: In(awaited), status: 'finished' });
  return new Set(finished.map(({ name }) => name));
}

export function viewOf(row: QueueEntity, finished: ReadonlySet<string>, messages: Messages): QueueView {
  const { name, id, description, policyVersion, revision, position } = row;
  const state = row.status as QueueView['state'];
  const times = { createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() };
  const policy = wholePolicy(row.policy);
  const intake = intakeOf(row);
  const common = {
    name,
    id,
    internal: isReserved(name),
    description,
    state,
    intake,
    policy,
    policyVersion,
    revision,
    position,
    ...times,
  };
  if (row.status === 'paused') return { ...common, pause: pauseOf(row, messages) };
  if (row.status !== 'waiting') return common;
  return { ...common, waitingFor: policy.waitsFor.filter((awaited) => !finished.has(awaited)) };
}

const intakeOf = ({ intakeOpen, intakeBy, intakeReason }: QueueEntity): QueueView['intake'] =>
  intakeOpen ? { open: true } : { open: false, by: intakeBy!, reason: intakeReason };

const pauseOf = (
  { pauseBy, pauseReason, pauseUntil, pauseFailure }: QueueEntity,
  messages: Messages,
): NonNullable<QueueView['pause']> => ({
  by: pauseBy!,
  reason: pauseReason,
  until: pauseUntil?.toISOString() ?? null,
  failure: pauseFailure && shownFailure(pauseFailure, messages),
});

const shownFailure = ({ taskId, class: errorClass }: QueueFailure, messages: Messages): ShownFailure => ({
  taskId,
  message: messages.get(taskId) ?? null,
  class: errorClass,
});
