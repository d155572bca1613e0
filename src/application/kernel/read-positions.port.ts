/** How far the read models have come: what lets a query answer for what its caller has just done. */
export abstract class ReadPositions {
  /** The position that the read model reflects at least; for one written with the events (`tasks`, `queues`), the log's head. */
  abstract current(projection: string): Promise<bigint>;

  /** Whether the read model reflects `position`, now or within the time. Resolves early; never rejects for being late. */
  abstract waitFor(projection: string, position: bigint, timeoutMs: number): Promise<boolean>;
}
