import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A migration: one step from a version of the schema to the next. */
export abstract class SchemaStep implements MigrationInterface {
  /** The version that it makes. The first is 1, and each later one is one more. */
  abstract readonly version: number;

  /**
   * Builds for this version of the schema and later ones can work on the schema that it makes. A step that only adds
   * keeps the number of the step before it. A step that removes or changes something raises it, to the version from
   * which on no build uses that.
   */
  abstract readonly oldest: number;

  protected abstract readonly sql: string;

  /** The tables, views and sequences that it creates. */
  get relations(): readonly string[] {
    return [...this.sql.matchAll(/^create (?:unlogged )?(?:table|view|sequence) (\w+)/gm)].map(([, name]) => name!);
  }

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(this.sql);
    await runner.query('insert into schema_versions (version, oldest) values ($1, $2)', [this.version, this.oldest]);
  }

  async down(): Promise<void> {
    throw new Error('Expected to go back before the event log, but events are never dropped: restore a backup instead');
  }
}
