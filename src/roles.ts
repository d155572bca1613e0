import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { Role } from './config.js';
import type { AdvisoryLocks } from './infrastructure/projection-engine/advisory-locks.js';

/** `start` and `stop` may be called twice; `stop` waits for what is in hand. */
interface Running {
  start(): void;
  stop(): Promise<void>;
}

/** The roles of this process that work by themselves; `api` works when it is asked. */
export class Roles implements BeforeApplicationShutdown {
  private readonly mine: readonly Running[];

  constructor(
    roles: readonly Role[],
    running: Readonly<Record<Exclude<Role, 'api'>, Running>>,
    private readonly locks: AdvisoryLocks,
  ) {
    this.mine = roles.filter((role) => role !== 'api').map((role) => running[role]);
  }

  start(): void {
    for (const role of this.mine) role.start();
  }

  /** Before the connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.mine.map((role) => role.stop()));
    await this.locks.close();
  }
}
