import type { DataSource, EntityManager } from 'typeorm';

/**
 * Reads what must agree, such as tasks and what they wait for: all statements of `read` see the commits that the first one
 * sees, and no others. Keeps a connection meanwhile, so `read` must wait for nothing but this database.
 */
export const inOneSnapshot = <T>(db: DataSource, read: (snapshot: EntityManager) => Promise<T>): Promise<T> =>
  db.transaction('REPEATABLE READ', read);
