import { access, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lasting } from '../../support/lasting.js';
import { OwnPostgres } from '../own-postgres.js';
import type { Cell } from './cell.js';

/** Debian's package `faketime`. The one for programs with threads. */
const LIBRARY = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const HOUR = 3_600;

/** The wall clock of some processes, apart from the machine's. Their monotonic clocks go on as they are. */
class SteppedClock {
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

  async set(seconds: number): Promise<void> {
    await writeFile(this.file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  }

  private get file(): string {
    return join(this.folder, this.name);
  }
}

/** Postgres' clock and that of the services step forward and back by an hour, each apart from the other. */
export async function clockSteps(): Promise<Cell> {
  await access(LIBRARY).catch(() => {
    throw new Error(`Expected libfaketime at '${LIBRARY}', but it is missing: on Debian, apt-get install faketime`);
  });
  const folder = await mkdtemp(join(tmpdir(), 'waybill-clocks-'));
  // Postgres reads it as another user.
  await chmod(folder, 0o755);
  const [ofPostgres, ofServices] = [
    await SteppedClock.in(folder, 'postgres'),
    await SteppedClock.in(folder, 'services'),
  ];
  let highest = 0;
  return {
    postgres: async () => {
      const postgres = await OwnPostgres.start();
      await postgres.pgCtl('restart', ['-m', 'fast'], ofPostgres.env);
      return postgres;
    },
    load: { services: [{ env: ofServices.env }, { env: ofServices.env }] },
    fault: async () => {
      for (const [postgres, services] of [
        [1, 0],
        [-1, 0],
        [0, 1],
        [0, -1],
        [0, 0],
      ] as const) {
        await ofPostgres.set(postgres * HOUR);
        await ofServices.set(services * HOUR);
        highest = Math.max(highest, postgres);
        await lasting(400);
      }
    },
    // What became due by the fast clock is due again.
    undo: () => ofPostgres.set(highest * HOUR + HOUR),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
