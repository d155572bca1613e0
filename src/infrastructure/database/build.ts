import { createHash } from 'node:crypto';
import { MIGRATIONS } from './migrations/migrations.js';

export interface BuildParts {
  /** The functions that only this build calls, after the types of their parameters. */
  readonly functions: readonly string[];
  /** What other programs call, so that all builds share it. Each replaces the earlier one. */
  readonly shared?: readonly string[];
  readonly migrations?: typeof MIGRATIONS;
}

/** What a build of this program has in the database. Builds with the same parts are one. */
export class Build {
  readonly functions: readonly string[];
  readonly shared: readonly string[];
  readonly migrations: typeof MIGRATIONS;
  /** The version of the schema that it was made for. */
  readonly version: number;
  /** The tables, views and sequences that it works on. */
  readonly relations: readonly string[];
  /** The schema that contains its functions, and no other build's. */
  readonly schema: string;

  constructor({ functions, shared = [], migrations = MIGRATIONS }: BuildParts) {
    this.functions = functions;
    this.shared = shared;
    this.migrations = migrations;
    this.version = migrations.length;
    this.relations = migrations.flatMap((Step) => new Step().relations);
    const hash = createHash('sha256')
      .update([...functions, ...shared].join(';\n'))
      .digest('hex');
    this.schema = `waybill_${this.version}_${hash.slice(0, 12)}`;
  }
}
