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

  /**
   * Whether the read model reflects `position`, now or within the time-out. Resolves as soon as it does, and never
   * rejects because of the time-out.
   */
  abstract waitFor(projection: string, position: bigint, timeoutMs: number): Promise<boolean>;
}
