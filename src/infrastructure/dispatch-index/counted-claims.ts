import type { ClaimQuota, ClaimRules, LastHolding, RunningClaims } from '../../application/claims/claim-source.port.js';
import type { StandingClaim } from '../../domain/queue-consumer/consumer.commands.js';
import type { ConsumerEvent } from '../../domain/queue-consumer/consumer.events.js';
import { consumerStream } from '../../domain/queue-consumer/consumer.stream.js';
import { isCounted } from '../../domain/queue/queue.policy.js';
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

const FIRST_IN_LANES = { name: 'waybill_first_in_lanes', text: 'select * from waybill_first_in_lanes($1, $2)' };

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

  /** Refuses the requests for which the limits of the values of a label left no task, once as many are picked as may be. */
  async beside(
    connection: PostgresConnection,
    { facts: { name, policy }, steps }: ClaimRules,
    quota: ClaimQuota,
    picked: number,
  ): Promise<ClaimQuota> {
    if (policy.perLabel === null || picked >= quota.places.length) return quota;
    const { label, maxRunning: most } = policy.perLabel;
    const { rows } = (await connection.query({ ...FIRST_IN_LANES, values: [name, steps] })) as {
      rows: { value: string | null }[];
    };
    if (rows.length === 0) return quota;
    const full = { code: 'LABEL_FULL' as const, label, labelValue: rows[0]!.value, most };
    return { ...quota, refusals: quota.refusals.map((refusal) => refusal ?? full) };
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
