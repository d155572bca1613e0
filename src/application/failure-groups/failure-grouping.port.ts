import type { TaskError } from '../../domain/task/task.events.js';

/** Which failures belong together, by the rules of the configuration. */
export abstract class FailureGrouping {
  /** The id of the error's group. */
  abstract groupOf(error: TaskError): string;
}
