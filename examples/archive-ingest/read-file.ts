import { constants, type BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** What the catalogue compares to see whether a file has changed. */
export interface Version {
  readonly size: number;
  /** Nanoseconds since 1970, in decimal text, because they have more digits than a number can hold. */
  readonly modified: string;
}

export interface OpenFile extends Version {
  chunks(): AsyncIterable<Buffer>;
}

/** The path does not lead to a regular file. */
export class NoFile extends Error {
  override readonly name = 'NoFile';
}

const CHUNK_BYTES = 256 * 2 ** 10;

// Does not follow a symbolic link, and does not wait for a pipe without a writer.
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Opens a regular file for `use`. The version is from before the read, so the next look notices a change during it. */
export async function withFile<T>(path: string, use: (file: OpenFile) => Promise<T>): Promise<T> {
  const handle = await open(path, FLAGS);
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw new NoFile(kindOf(stats));
    const version = { size: Number(stats.size), modified: String(stats.mtimeNs) };
    return await use({ ...version, chunks: () => chunksOf(handle, version.size) });
  } finally {
    await handle.close();
  }
}

/** Each chunk has its own memory, and no more than the file needs. */
async function* chunksOf(handle: FileHandle, size: number): AsyncGenerator<Buffer> {
  // One byte more than the file has: the last read is the one that does not fill its buffer.
  const length = Math.min(CHUNK_BYTES, size + 1);
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length);
    if (bytesRead > 0) yield buffer.subarray(0, bytesRead);
    if (bytesRead < length) return;
  }
}

const kindOf = (stats: BigIntStats): string => (stats.isDirectory() ? 'a folder' : 'a device, pipe or socket');
