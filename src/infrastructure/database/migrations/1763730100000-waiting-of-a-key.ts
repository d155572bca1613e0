import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Every task that waits is found by its key, whatever it waits for. */
export class WaitingOfAKey1763730100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(INDEX);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `drop index waiting_key; create index waiting_key on waiting (queue, key, priority desc, seq) where gate = 'key'`,
    );
  }
}

const INDEX = `
drop index waiting_key;
create index waiting_key on waiting (queue, key, gate, priority desc, seq) where key is not null;
`;
