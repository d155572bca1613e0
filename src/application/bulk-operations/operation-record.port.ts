import type { TakenTasks } from './bulk-checkpoints.port.js';

/** A place in the tasks that wait for those of an operation: after `task` of those that wait for its page; from its beginning if null. */
export interface WaiterPlace {
  readonly page: number;
  readonly task: string | null;
}

/** Some aborted tasks, and the place after them. */
export interface WaitersPage {
  readonly tasks: readonly string[];
  readonly after: WaiterPlace;
}

/** The tasks that operations were for, as far as they came: those that have the command, and those that were being given it when it stopped. */
export abstract class OperationRecord {
  /** How many they are. */
  abstract count(operation: string): Promise<number>;

  /** The next page after one, from the first one after -1; null at the end. */
  abstract pageAfter(operation: string, page: number): Promise<TakenTasks | null>;

  /** The next aborted tasks that wait for tasks of the operation, by the pages of these; null at the end. A task comes once with each page. */
  abstract waitersAfter(operation: string, place: WaiterPlace): Promise<WaitersPage | null>;

  /** Of the next page that has any, the aborted tasks that wait for what is aborted; null at the end. */
  abstract stuckAfter(operation: string, page: number): Promise<TakenTasks | null>;

  /** The tasks that wait for one of these or did, by id, at most so many. */
  abstract waitersOf(tasks: readonly string[], limit: number): Promise<readonly string[]>;

  /** What of these waits for what other one of these. */
  abstract linksAmong(tasks: readonly string[]): Promise<readonly { readonly task: string; readonly needs: string }[]>;
}
