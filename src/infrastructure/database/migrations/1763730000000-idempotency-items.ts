import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An idempotency key is taken per item of its request, and remembers how it was answered. */
export class IdempotencyItems1763730000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
  }

  async down(): Promise<void> {
    throw new Error(
      'Expected to go back before keys of several items, but their requests were answered: restore a backup',
    );
  }
}

const COLUMNS = `
-- Keys live for a day. Those of an earlier version named their item within the key, and stand for what was recorded.
alter table idempotency_keys
  add column item int not null default 0,
  add column answer jsonb not null default '"recorded"',
  drop constraint idempotency_keys_pkey,
  add primary key (key, item);
`;
