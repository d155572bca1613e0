/**
 * How far the read models have followed the log. A query uses it to wait until it can show what its caller has just
 * done.
 */
export abstract class ReadPositions {
  /**
   * A position that the read model certainly reflects. For tables written together with the events (`tasks`, `queues`),
   * the log's head.
   */
  abstract current(projection: string): Promise<bigint>;

  /** Whether the rows of the read model are written together with the events, so that they reflect all that the log has. */
  isWithEvents(_projection: string): boolean {
    return false;
  }

  /**
   * A position that the read model reflects, `position` or a later one; null if it does not reach that within the
   * time-out. Resolves as soon as it does, and never rejects because of the time-out.
   */
  abstract waitFor(projection: string, position: bigint, timeoutMs: number): Promise<bigint | null>;

  /**
   * The position of the newest event that was stored when this was asked, if the read model may have lacked it when it
   * was at `asOf`; null if it lacked nothing.
   */
  abstract lackedAt(projection: string, asOf: bigint): Promise<bigint | null>;
}
