import type { TakenTasks } from './bulk-checkpoints.port.js';

/** The tasks that operations were for, as far as they came: those that have the command, and those that were being given it when it stopped. */
export abstract class OperationRecord {
  /** How many they are. */
  abstract count(operation: string): Promise<number>;

  /** The next page after one, from the first one after -1; null at the end. */
  abstract pageAfter(operation: string, page: number): Promise<TakenTasks | null>;
}
