import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Debian's package `faketime`. The one for programs with threads. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';

/** A new folder for the clocks of some processes. */
export async function clockFolder(): Promise<string> {
  await access(LIBRARY).catch(() => {
    throw new Error(`Expected libfaketime at '${LIBRARY}', but it is missing: on Debian, apt-get install faketime`);
  });
  const folder = await mkdtemp(join(tmpdir(), 'waybill-clocks-'));
  // Postgres reads it as another user.
  await chmod(folder, 0o755);
  return folder;
}

export const removeClocks = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

/** The wall clock of some processes, apart from the machine's. Their monotonic clocks go on as they are. */
export class SteppedClock {
  private constructor(
    private readonly folder: string,
    private readonly name: string,
  ) {}

  static async in(folder: string, name: string): Promise<SteppedClock> {
    const clock = new SteppedClock(folder, name);
    await clock.set(0);
    return clock;
  }

  get env(): Readonly<Record<string, string>> {
    const monotonic = { FAKETIME_DONT_FAKE_MONOTONIC: '1', DONT_FAKE_MONOTONIC: '1' };
    return { LD_PRELOAD: LIBRARY, FAKETIME_TIMESTAMP_FILE: this.file, FAKETIME_NO_CACHE: '1', ...monotonic };
  }

  /** From now on it is ahead of the machine's by so many seconds. */
  async set(seconds: number): Promise<void> {
    await writeFile(this.file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  }

  private get file(): string {
    return join(this.folder, this.name);
  }
}
