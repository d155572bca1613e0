import type { PostgresConnection } from '../database/postgres-pool.js';
import type { ErasedStream } from './erased-stream.js';

/** Of how many events of a stream the halves were erased now. */
export interface ErasedCount {
  readonly stream: string;
  readonly halves: number;
}

/** Private halves, where the events are stored. */
export abstract class StoredHalves {
  /** The ids of those of these streams with an event that an earlier build, or one without keys, stored in one with its private half. */
  abstract storedWhole(streams: readonly ErasedStream[]): Promise<ReadonlySet<string>>;

  /** Erases the halves within the transaction that erases the rows. A repetition erases none. Throws if one is stored whole. */
  abstract erase(connection: PostgresConnection, streams: readonly ErasedStream[]): Promise<readonly ErasedCount[]>;
}
