import type { UnreadableStream } from './unreadable-stream.js';

/** The rows of which the index has one for each queue, batch, trigger, hold, resource and view, and for the drain. */
export abstract class IndexRows {
  /**
   * Compares the rows with the histories of these streams, and writes those anew that contradict them. Returns the streams that
   * cannot be read, whose rows stay as they are.
   */
  abstract mend(streams: readonly string[]): Promise<readonly UnreadableStream[]>;

  /**
   * As `mend`, for one stream whose history may not fit into memory. Returns whether the row was found right: false if it was not, or is
   * just being changed.
   */
  abstract mendByPages(stream: string): Promise<boolean | UnreadableStream>;

  /** Compares what the rows of batches say of their tasks with these, and mends what is wrong. Returns the batches whose rows were. */
  abstract recount(batches: readonly string[]): Promise<ReadonlySet<string>>;
}
