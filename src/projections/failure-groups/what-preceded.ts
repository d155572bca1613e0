import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { buildStream } from '../../domain/build/build.stream.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { RESERVED } from '../../domain/queue/reserved.policy.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { taskStream } from '../../domain/task/task.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { Past } from '../kernel/past.port.js';

/** What changed last in or for the queues of some failures before these began; null where nothing did. */
export interface Preceded {
  readonly build: { readonly queue: string; readonly build: string; readonly at: string } | null;
  readonly policy: {
    readonly queue: string;
    readonly version: number;
    readonly by: string;
    readonly at: string;
  } | null;
  readonly operation: {
    readonly id: string;
    readonly command: string;
    readonly by: string;
    readonly at: string;
  } | null;
}

/** A cause in more queues is rarely a change of one. */
const MOST_QUEUES = 20;
/** Among so many of the operations before is one for these queues, or none is named. */
const MOST_OPERATIONS = 20;

interface Before {
  readonly time: string;
  readonly end: bigint;
}

/** Times decide what came before: changes are apart by more than clocks differ. */
@Injectable()
export class WhatPreceded {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  /** `upTo`: the last position that counts; undefined: the head of the log. */
  async before(time: string, queues: readonly string[], upTo?: bigint): Promise<Preceded> {
    const end = upTo ?? (await this.past.now()).position;
    const some = queues.slice(0, MOST_QUEUES);
    const [build, policy, operation] = await Promise.all([
      this.lastOf(some.map(buildStream), { time, end }, ['BuildBegan']),
      this.lastOf(some.map(queueStream), { time, end }, ['QueueDefined', 'QueuePolicyChanged']),
      this.operationBefore({ time, end }, queues),
    ]);
    return { build: build && buildIn(build), policy: policy && policyIn(policy), operation };
  }

  /** The newest event of these types in one of the streams. */
  private async lastOf(
    streams: readonly string[],
    { time, end }: Before,
    types: readonly string[],
  ): Promise<Recorded | null> {
    const histories = await this.historiesOf(streams, end);
    const before = histories.flat().filter(({ event, recordedAt }) => types.includes(event.type) && recordedAt < time);
    return before.sort((one, other) => Number(other.position - one.position))[0] ?? null;
  }

  private async operationBefore({ time, end }: Before, queues: readonly string[]): Promise<Preceded['operation']> {
    const rows = await this.db.query<{ id: string }[]>(
      `select task_id as id from known_tasks where queue = '${RESERVED}operations' and enqueued_at < $1
       order by task_id desc limit ${MOST_OPERATIONS}`,
      [time],
    );
    const histories = await this.historiesOf(
      rows.map(({ id }) => taskStream(id)),
      end,
    );
    const at = histories.findIndex((history) => history.length > 0 && concerns(orderIn(history[0]!), queues));
    return at < 0 ? null : operationIn(rows[at]!.id, histories[at]![0]!);
  }

  private async historiesOf(streams: readonly string[], end: bigint): Promise<readonly (readonly Recorded[])[]> {
    return streams.length === 0 ? [] : this.past.historiesAt(streams, end);
  }
}

type DataOf<Type> = Recorded<DomainEvent & { readonly data: Type }>['event']['data'];

function buildIn({ event, recordedAt: at }: Recorded): Preceded['build'] {
  const { queue, build } = event.data as DataOf<{ queue: string; build: string }>;
  return { queue, build, at };
}

function policyIn({ event, envelope, recordedAt: at }: Recorded): Preceded['policy'] {
  const { queue, policyVersion: version } = event.data as DataOf<{ queue: string; policyVersion: number }>;
  return { queue, version, by: envelope.actor, at };
}

/** The payload of an operation may be erased. */
interface Order {
  readonly filter?: { readonly queue?: string };
}

const orderIn = ({ event }: Recorded): Order => (event.data as { readonly payload?: Order }).payload ?? {};

const concerns = ({ filter }: Order, queues: readonly string[]): boolean =>
  filter?.queue === undefined || queues.includes(filter.queue);

function operationIn(id: string, { event, envelope, recordedAt: at }: Recorded): Preceded['operation'] {
  return { id, command: (event.data as { readonly kind: string }).kind, by: envelope.actor, at };
}
