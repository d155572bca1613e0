/** What the tree of the log has in one place: the line that stands for a stored segment (docs/reference/log-format.md). */
export interface LogLeaf {
  /** That of the last event of the segment. */
  readonly position: bigint;
  readonly text: string;
}

/** The leaves of the log, in the order of their positions. */
export abstract class LogLeaves {
  /** The next ones after the position of a leaf, or 0n: at most `limit`, and fewer only if the log ends there. */
  abstract after(position: bigint, limit: number): Promise<readonly LogLeaf[]>;
}
