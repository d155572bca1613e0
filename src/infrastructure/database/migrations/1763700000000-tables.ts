import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readSql } from '../sql.js';

/** All tables of the first release. What comes later is a migration behind this one. */
export class Tables1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(readSql(import.meta.url, 'tables'));
  }

  async down(): Promise<void> {
    throw new Error('Expected to go back before the event log, but events are never dropped: restore a backup instead');
  }
}
