import type { UnreadableStream } from './unreadable-stream.js';

/** The rows of which the index has one for each queue, trigger, hold and resource, and for the drain. */
export abstract class IndexRows {
  /**
   * Compares the rows with the histories of these streams, and writes those anew that contradict them. Returns the streams that
   * cannot be read, whose rows stay as they are.
   */
  abstract mend(streams: readonly string[]): Promise<readonly UnreadableStream[]>;
}
