import type { RecordedEvent } from '../application/kernel/recorded-event.js';
import type { TaskState } from '../domain/task/task.state.js';
import type { TaskRecord } from './appends.js';
import type { Violation } from './violation.js';

/** What is known of a log besides its events. */
export interface LogTraits {
  /** Whether the events have their private halves. */
  readonly isWhole: boolean;
  /** Whether each claim of a queue is recorded before the next one looks, as with the events in Postgres. */
  readonly claimsTakeTurns: boolean;
  /**
   * Whether nothing else is known of its service. Then workers may have asked for steps and for delays of retries, earlier builds may have
   * recorded fewer members, and what tasks were is forgotten with their end. Absent: none of it, and rules are strict.
   */
  readonly isForeign?: boolean;
}

/** An event of the log. With one of a task, what it made of the task. */
export type Seen =
  | { readonly recorded: TaskRecord; readonly id: string; readonly before: TaskState; readonly after: TaskState }
  | { readonly recorded: RecordedEvent; readonly id: null; readonly before: null; readonly after: null };

export type SeenTask = Extract<Seen, { readonly id: string }>;

/** Says that a promise is broken. Nearly no append breaks one, so rules are no generators: one an append and rule took a fifth of the time. */
export type Tell = (broken: Violation) => void;

/** A rule that holds at every position of the log. It is asked append by append, in their order. */
export interface Rule {
  take(append: readonly Seen[], tell: Tell): void;
  /** What must hold at the end of a log whose work is done. */
  end?(tell: Tell): void;
  /** A task has ended, and no event of it follows. */
  forget?(id: string, stream: string): void;
}

/** What is known of the log besides the events up to the current one. */
export interface LogIndex {
  /** Whether the log has events of the task, before or after the current position. */
  has(task: string): boolean;
  /** The state in which a task was forgotten. */
  endedAs(task: string): string | undefined;
}
