import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
};

/** A map that another process finds again: every entry is a line of a file before `set` returns. */
export class KeptMap extends Map<string, string> {
  private constructor(private readonly path: string) {
    super();
  }

  static open(path: string): KeptMap {
    const map = new KeptMap(path);
    for (const line of (read(path) ?? '').split('\n')) if (line.endsWith(']')) map.take(JSON.parse(line));
    return map;
  }

  override set(key: string, value: string): this {
    // The line break comes first, so that half a line, which a crash left, does not spoil the next.
    appendFileSync(this.path, `\n${JSON.stringify([key, value])}`);
    return super.set(key, value);
  }

  private take([key, value]: [string, string]): void {
    super.set(key, value);
  }
}

/** The port that an earlier run had, because manifests name it; 0 for any. */
export const keptPort = (path: string): number => Number(read(path) ?? 0);
export const keepPort = (path: string, url: string): void => writeFileSync(path, new URL(url).port);
