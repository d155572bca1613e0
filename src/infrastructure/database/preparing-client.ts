import { GuardedClient } from './guarded-client.js';

/** How TypeORM begins the text of a query with a comment (`SelectQueryBuilder.comment`). */
const COMMENT = /^\/\* (waybill_\w+) \*\/ /;

/**
 * Prepares the queries whose comment names them, so that Postgres plans each once a connection. TypeORM prepares none. A name stands for
 * one text.
 */
export class PreparingClient extends GuardedClient {
  override query(query: any, values?: any, callback?: any): any {
    const [, name] = (typeof query === 'string' && COMMENT.exec(query)) || [];
    return super.query(name === undefined ? query : { name, text: query }, values, callback);
  }
}
