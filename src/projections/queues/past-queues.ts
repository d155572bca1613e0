import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import { DEFAULT_POLICY } from '../../domain/queue/queue.policy.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { newestErrors } from '../kernel/newest-errors.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { statusIn } from '../kernel/queue-then.js';
import { queueRow } from '../kernel/rows/queue-row.js';
import { eventsIn } from '../kernel/stream-as-of.js';
import type { QueueEntity } from './queue.entity.js';
import { type QueueView, viewOf } from './queues.queries.js';

/** Shows queues as of a moment, by their events up to there. */
@Injectable()
export class PastQueues {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  /** In the order of the histories, of which none is empty. */
  async viewsOf(histories: readonly (readonly Recorded[])[], moment: Moment): Promise<readonly QueueView[]> {
    const found = histories.map(rowOf);
    const ids = await this.idsOf(found.map(({ name }) => name));
    const rows = found.map((row) => ({ ...row, id: ids.get(row.name)! }));
    const awaited = rows.flatMap(({ status, policy }) => (status === 'waiting' ? policy.waitsFor : []));
    const finished = await this.finishedAmong([...new Set(awaited)], moment);
    const failed = rows.flatMap(({ pauseFailure }) => (pauseFailure ? [pauseFailure.taskId] : []));
    const messages = await newestErrors(this.past, failed, moment);
    return rows.map((row) => viewOf(row, finished, messages));
  }

  /** They follow from the names, so they are those of now. */
  private async idsOf(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const text = 'select id, name from queues where name = any ($1::text[])';
    const rows = await this.db.query<Pick<QueueView, 'id' | 'name'>[]>(text, [names]);
    return new Map(rows.map(({ id, name }) => [name, id]));
  }

  private async finishedAmong(names: readonly string[], { position }: Moment): Promise<ReadonlySet<string>> {
    const histories = await this.past.historiesAt(names.map(queueStream), position);
    return new Set(names.filter((_, at) => histories[at]!.length > 0 && statusIn(histories[at]!) === 'finished'));
  }
}

function rowOf(history: readonly Recorded[]): Omit<QueueEntity, 'id'> {
  const row = queueRow(eventsIn<QueueEvent>(history)) as Readonly<Record<string, never>>;
  const [first, last] = [history[0]!, history.at(-1)!];
  const { pause_until: until } = row as { pause_until?: string | null };
  return {
    name: row.name!,
    revision: last.revision,
    position: String(last.position),
    status: row.status!,
    description: row.description!,
    policy: row.policy!,
    policyVersion: row.policy_version!,
    intakeOpen: row.intake_open!,
    intakeBy: row.intake_by!,
    intakeReason: row.intake_reason!,
    pauseBy: row.pause_by!,
    pauseReason: row.pause_reason!,
    pauseUntil: until ? new Date(until) : null,
    pauseFailure: row.pause_failure!,
    createdAt: new Date(first.recordedAt),
    updatedAt: new Date(last.recordedAt),
  };
}

/** The fields of the policy that no event had then, and that are shown with their defaults of today. */
export function defaultsIn(history: readonly Recorded[]): readonly string[] {
  const last = eventsIn<QueueEvent>(history).findLast(({ data }) => 'policy' in data);
  const stored = last && 'policy' in last.data ? last.data.policy : {};
  return Object.keys(DEFAULT_POLICY).flatMap((field) => (field in stored ? [] : `policy.${field}`));
}
