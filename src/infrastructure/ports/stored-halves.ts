import type { PostgresConnection } from '../database/postgres-pool.js';
import type { ErasedTask } from './erased-task.js';

/** Of how many events of a stream the halves were erased now. */
export interface ErasedStream {
  readonly stream: string;
  readonly halves: number;
}

/** Private halves, where the events are stored. */
export abstract class StoredHalves {
  /** Of these tasks, those with an event that an earlier build, or one without keys, stored in one with its private half. */
  abstract storedWhole(tasks: readonly ErasedTask[]): Promise<ReadonlySet<string>>;

  /** Erases the halves within the transaction that erases the rows. A repetition erases none. Throws if one is stored whole. */
  abstract erase(connection: PostgresConnection, tasks: readonly ErasedTask[]): Promise<readonly ErasedStream[]>;
}
