import type {
  ClaimQuota,
  ClaimRefusal,
  ClaimRules,
  LastHolding,
  RunningClaims,
} from '../../application/claims/claim-source.port.js';
import type { StandingClaim } from '../../domain/queue-consumer/consumer.commands.js';
import type { ConsumerEvent } from '../../domain/queue-consumer/consumer.events.js';
import { consumerStream } from '../../domain/queue-consumer/consumer.stream.js';
import { isCounted, isPaced, limitsOf, type QueuePolicy } from '../../domain/queue/queue.policy.js';
import type { PostgresConnection } from '../database/postgres-pool.js';
import { streamKey } from '../database/stream-key.js';
import { eventCodec } from '../event-codec/event-codec.js';

interface GateRow {
  readonly revision: number;
  readonly running: readonly StandingClaim[];
  readonly consumer: ConsumerRow | null;
}

interface ConsumerRow {
  readonly revision: number;
  readonly type: string;
  readonly version: number;
  readonly data: string;
  readonly resetClaimed: boolean;
}

/** Finds the last event of a serial queue's consumer. */
export type FindConsumer = (queue: string) => Promise<LastHolding | null>;

const LOCK = { name: 'waybill_gate', text: 'select * from waybill_gate($1, $2)' };

const RUNS = { name: 'waybill_holder_runs', text: 'select * from waybill_holder_runs($1)' };

const COUNT_STARTS = { name: 'waybill_count_starts', text: 'select waybill_count_starts($1, $2)' };

const LEFT_IN_LINE = { name: 'waybill_left_in_line', text: 'select * from waybill_left_in_line($1, $2, $3)' };

interface LeftRow {
  readonly value: string | null;
  /** Null if no rate keeps tasks from starting. */
  readonly after_ms: string | null;
  readonly until: string | null;
}

const NOT_COUNTED: RunningClaims = { claims: [], consumer: null, ofHolders: new Map() };

/**
 * The running tasks of queues and of holders of API keys with limits. One claim at a time passes the queue's gate, and
 * one for each holder at a time continues, and sees them.
 */
export class CountedClaims {
  /** `findConsumer` is given if the events are not in this database. */
  constructor(private readonly findConsumer: FindConsumer | null = null) {}

  /**
   * Returns null if the queue's revision differs from that of the rules. Until the transaction ends, nobody else claims
   * from a counted queue.
   */
  async lock(connection: PostgresConnection, rules: ClaimRules): Promise<RunningClaims | null> {
    const holders = [...new Set(rules.requests.flatMap(({ limit }) => limit?.holder ?? []))];
    if (holders.length === 0 && !isCounted(rules.facts.policy)) return NOT_COUNTED;
    const running = await this.passGate(connection, rules);
    if (!running || holders.length === 0) return running;
    return { ...running, ofHolders: await runsOf(connection, holders) };
  }

  /** Counts the starts of these tasks, of those that may be picked at most, against the rates of their queue. */
  async countStarts(connection: PostgresConnection, { facts }: ClaimRules, tasks: readonly string[]): Promise<void> {
    if (tasks.length > 0 && isPaced(facts.policy))
      await connection.query({ ...COUNT_STARTS, values: [facts.name, tasks] });
  }

  /** Refuses the requests for which rates and the limits of a label left no task, once as many are picked as may be. */
  async beside(
    connection: PostgresConnection,
    { facts: { name, policy }, steps, offers }: ClaimRules,
    quota: ClaimQuota,
    picked: number,
  ): Promise<ClaimQuota> {
    if (picked >= quota.places.length || (policy.perLabel === null && policy.rate === null)) return quota;
    const { rows } = (await connection.query({ ...LEFT_IN_LINE, values: [name, steps, offers] })) as {
      rows: LeftRow[];
    };
    const left = rows[0] ? refusalOf(policy, rows[0]) : null;
    return left ? { ...quota, refusals: quota.refusals.map((refusal) => refusal ?? left) } : quota;
  }

  private async passGate(
    connection: PostgresConnection,
    { facts, queueRevision }: ClaimRules,
  ): Promise<RunningClaims | null> {
    const { name, policy } = facts;
    const { rows } = (await connection.query({ ...LOCK, values: [name, streamKey(consumerStream(name)).id] })) as {
      rows: GateRow[];
    };
    const { revision, running: claims, consumer } = rows[0]!;
    if (revision !== queueRevision) return null;
    if (policy.concurrency !== 'serial') return { ...NOT_COUNTED, claims };
    return {
      ...NOT_COUNTED,
      claims,
      consumer: this.findConsumer ? await this.findConsumer(name) : lastHolding(consumer),
    };
  }
}

function refusalOf({ perLabel }: QueuePolicy, { value, after_ms: afterMs, until }: LeftRow): ClaimRefusal | null {
  const of = perLabel && { label: perLabel.label, labelValue: value };
  if (until !== null) return { code: 'RATE_REACHED', until, afterMs: Number(afterMs), ...of };
  const most = perLabel && limitsOf(perLabel, value).maxRunning;
  return of && most ? { code: 'LABEL_FULL', ...of, most } : null;
}

async function runsOf(
  connection: PostgresConnection,
  holders: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = (await connection.query({ ...RUNS, values: [holders] })) as {
    rows: { holder: string; running: number }[];
  };
  return new Map(rows.map(({ holder, running }) => [holder, running]));
}

function lastHolding(consumer: ConsumerRow | null): LastHolding | null {
  if (!consumer) return null;
  const { revision, type, version, data, resetClaimed } = consumer;
  return { revision, event: eventCodec.decode(type, version, data) as ConsumerEvent, resetClaimed };
}
