import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reservations of several appends that are recorded as one. */
export class ReservedTransactions1763750000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(): Promise<void> {
    throw new Error('Expected to go back before transactions, but some may be under way: restore a backup instead');
  }
}

const TABLES = `
-- Null for an append that stands by itself.
alter table reservations add column transaction uuid;
create index reservations_transaction on reservations (transaction) where transaction is not null;
`;
