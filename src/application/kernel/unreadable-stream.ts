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

/** Reads the first of the streams, and at least one, such as `EventReads.readFirst`. */
export type ReadFirst<H> = (streams: readonly string[]) => Promise<readonly H[]>;

/**
 * Reads streams together and, if some cannot be read, each of the others nevertheless. Returns one result per stream:
 * what `use` makes of the history, at once, so that the histories are not in memory together.
 */
export async function readEach<H, T>(
  streams: readonly string[],
  read: ReadFirst<H>,
  use: (history: H, stream: string) => T,
): Promise<readonly (T | UnreadableStream)[]> {
  const found: (T | UnreadableStream)[] = [];
  while (found.length < streams.length) {
    const rest = streams.slice(found.length);
    const some = await readSome(rest, read);
    found.push(...some.map((one, at) => (one instanceof UnreadableStream ? one : use(one, rest[at]!))));
  }
  return found;
}

/** Reads the whole histories, which must be known to fit into memory. One that cannot be read is `otherwise`. */
export async function readOr<H>(streams: readonly string[], read: ReadFirst<H>, otherwise: H): Promise<readonly H[]> {
  const found = await readEach(streams, read, (history) => history);
  return found.map((one) => (one instanceof UnreadableStream ? otherwise : one));
}

/** The histories of the first streams, or an `UnreadableStream`. */
export async function readSome<H>(
  streams: readonly string[],
  read: ReadFirst<H>,
): Promise<readonly (H | UnreadableStream)[]> {
  try {
    return await read(streams);
  } catch (error) {
    if (!(error instanceof UnreadableStream)) throw error;
    return streams.length === 1 ? [error] : readSome(streams.slice(0, streams.length >> 1), read);
  }
}
