/**
 * This program cannot read a stream: it does not know the type or version of an event, or the event's data is damaged.
 * A newer build may be able to.
 */
export class UnreadableStream extends Error {
  override readonly name = 'UnreadableStream';

  constructor(
    readonly stream: string,
    /** The event's position, as far as it is known; that of the last event if the events make no sense together. */
    readonly position: bigint | null,
    override readonly cause: unknown,
  ) {
    super(
      `Expected to read '${stream}', but ${reasonOf(cause)}${position === null ? '' : ` (at position ${position})`}`,
    );
  }

  get reason(): string {
    return reasonOf(this.cause);
  }
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** The result of `work`, whose failure means that the stream cannot be read. */
export function readable<T>(stream: string, position: bigint | null, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof UnreadableStream ? error : new UnreadableStream(stream, position, error);
  }
}

/** Reads streams together and, if some cannot be read, each of the others nevertheless. Returns one result per stream. */
export async function readEach<H>(
  streams: readonly string[],
  read: (streams: readonly string[]) => Promise<readonly H[]>,
): Promise<readonly (H | UnreadableStream)[]> {
  try {
    return await read(streams);
  } catch (error) {
    if (!(error instanceof UnreadableStream)) throw error;
    if (streams.length === 1) return [error];
    const middle = streams.length >> 1;
    return [...(await readEach(streams.slice(0, middle), read)), ...(await readEach(streams.slice(middle), read))];
  }
}

/** Reads streams as `readEach` does. One that cannot be read is `otherwise`. */
export async function readOr<H>(
  streams: readonly string[],
  read: (streams: readonly string[]) => Promise<readonly H[]>,
  otherwise: H,
): Promise<readonly H[]> {
  const found = await readEach(streams, read);
  return found.map((one) => (one instanceof UnreadableStream ? otherwise : one));
}
