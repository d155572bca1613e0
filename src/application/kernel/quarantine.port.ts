import type { UnreadableStream } from './unreadable-stream.js';

/**
 * The tasks that this program cannot read. They keep their state, leases and keys, are neither claimed nor swept, and
 * come back once a program can read them.
 */
export abstract class Quarantine {
  /** Puts the tasks of these streams aside, and reports them. Leaves out streams of other aggregates. */
  abstract add(streams: readonly UnreadableStream[]): Promise<void>;
}
