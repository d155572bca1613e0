import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Room for the three versions that a task's row has in a plain life: enqueued, claimed, succeeded. With room for two, the third left
 * its page, and every index got an entry for it, whenever somebody's snapshot kept the first from being cleaned away.
 */
export class RoomForALife1763755000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tasks set (fillfactor = 33)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table tasks set (fillfactor = 50)');
  }
}
