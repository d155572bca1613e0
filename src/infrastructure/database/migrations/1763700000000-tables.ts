import { READ_VIEWS } from '../read-views.js';
import { readSql } from '../sql.js';
import { SchemaStep } from './schema-step.js';

/** All tables of the first release. What comes later is a migration behind this one. */
export class Tables1763700000000 extends SchemaStep {
  readonly version = 1;
  readonly oldest = 1;
  protected readonly sql = `${readSql(import.meta.url, 'tables')}\n${READ_VIEWS}`;
}
