import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Queues of which a limited number of tasks run at once, or one by one. */
export class CountedQueues1763733000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table queue_gates, slots');
  }
}

const TABLES = `
-- The policy's version under which the queue's running tasks were last counted as a whole.
create table queue_gates (queue text primary key, policy_version int not null);
-- The leases of queues that are counted. One whose lease is gone is swept away by the next claim.
create table slots (token bigint primary key, queue text not null);
create index slots_queue on slots (queue);
`;
