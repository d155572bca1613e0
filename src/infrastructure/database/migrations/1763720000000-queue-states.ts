import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Queues that wait for others, that finish by themselves, and that a row of failures pauses. */
export class QueueStates1763720000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
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
