import type { EntityManager } from 'typeorm';
import { isInternal } from './internal-queues.js';

/** Where deliveries go, and fail so often in a row that they are tried seldom. */
export interface FailingTarget {
  readonly target: string;
  readonly failures: number;
  readonly error: string;
  readonly failedAt: string;
  /** When it is tried again. */
  readonly until: string;
}

const FIRST = 20;

/** The target of a task's row, if the task is a delivery and the target fails; null otherwise. */
export const failingTarget = (t: string): string => `(
  select jsonb_build_object('target', d.target, 'failures', d.failures, 'until', greatest(d.closed_until, now()),
    'error', jsonb_build_object('class', 'transient', 'message', d.error))
  from delivery_targets d where ${isInternal(`${t}.queue`)} and d.target = ${t}.labels->>'target' and d.failing)`;

export async function failingTargetsIn(db: EntityManager): Promise<readonly FailingTarget[]> {
  const rows = await db.query<(Omit<FailingTarget, 'failedAt' | 'until'> & { failed: Date; until: Date })[]>(
    `select target, failures, error, failed_at as failed, greatest(closed_until, now()) as until from delivery_targets
       where failing order by failed_at desc limit ${FIRST}`,
  );
  return rows.map(({ failed, until, ...rest }) => ({
    ...rest,
    failedAt: failed.toISOString(),
    until: until.toISOString(),
  }));
}
