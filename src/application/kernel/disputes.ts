import { UnreadableStream } from './unreadable-stream.js';

/** The two revisions of a stream: that of its history, and that of its row in the index. */
export interface Dispute {
  readonly stream: string;
  readonly expected: number;
  readonly actual: number;
}

/** A map, which may forget. */
interface NotedDispute {
  get(stream: string): Dispute | undefined;
  set(stream: string, dispute: Dispute): unknown;
  delete(stream: string): unknown;
}

/**
 * Appends that were refused for the stream's revision although they were decided on a fresh read. Another append may be
 * the reason once; revisions only grow. But if a later one meets the same two revisions, the row is wrong, and no
 * repetition helps. Not for refusals at the expected revision: then another transaction had locked the row.
 */
export class Disputes {
  constructor(private readonly noted: NotedDispute = new Map<string, Dispute>()) {}

  /** Why no append to the stream is accepted, if the same two revisions were met before. */
  note(dispute: Dispute): UnreadableStream | null {
    const { stream, expected, actual } = dispute;
    const before = this.noted.get(stream);
    if (before?.expected === expected && before.actual === actual) return wrongRow(dispute);
    this.noted.set(stream, dispute);
    return null;
  }

  forget(stream: string): void {
    this.noted.delete(stream);
  }
}

/** No append to the stream is accepted. */
export const wrongRow = ({ stream, expected, actual }: Dispute): UnreadableStream =>
  rowDiffers(stream, `revisions ${expected} and ${actual}`);

/** `how`: what the history says, and what the row says. */
export const rowDiffers = (stream: string, how: string): UnreadableStream =>
  new UnreadableStream(stream, null, new Error(`its history and its row in the index differ: ${how}`));
