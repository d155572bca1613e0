import type { MigrationInterface, QueryRunner } from 'typeorm';
import { PICK_FUNCTION } from '../../dispatch/pick.sql.js';
import { APPEND_FUNCTION } from '../../event-store/postgres/append.sql.js';
import { QUEUE_ROW_FUNCTIONS } from '../../event-store/postgres/queue-row.sql.js';

/** Queues that wait for others, that finish by themselves, and that a row of failures pauses. */
export class QueueStates1763720000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
    for (const functions of [QUEUE_ROW_FUNCTIONS, APPEND_FUNCTION, PICK_FUNCTION]) {
      await runner.query(functions.replaceAll('create function', 'create or replace function'));
    }
  }

  async down(): Promise<void> {
    throw new Error('Expected to go back before queues that wait, but their events stay: restore a backup instead');
  }
}

const COLUMNS = `
alter table queues
  add column pause_failure jsonb,
  -- Failed attempts since the last success, where the policy counts them, and the task of the latest.
  add column failure_streak int not null default 0,
  add column failure_task uuid;
create index queues_failing on queues (name) where failure_streak > 0;
`;
