import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { Role } from './config.js';
import type { AdvisoryLocks } from '../infrastructure/projection-engine/advisory-locks.js';

/** `start` and `stop` are safe to call twice. `stop` waits for the work in progress. */
interface Running {
  start(): void;
  stop(): Promise<void>;
}

/** The background roles of this process. The role `api` is not among them, because it works on request. */
export class Roles implements BeforeApplicationShutdown {
  private readonly mine: readonly Running[];
  private readonly index: Running | null;

  constructor(
    roles: readonly Role[],
    running: Readonly<Record<Exclude<Role, 'api'>, readonly Running[]>>,
    private readonly locks: AdvisoryLocks,
    /** The follower of the index, in the role `projector`. Appends wait for it, so it stops after the others. */
    index: Running | null = null,
  ) {
    this.mine = roles.filter((role) => role !== 'api').flatMap((role) => running[role]);
    this.index = roles.includes('projector') ? index : null;
  }

  start(): void {
    this.index?.start();
    for (const role of this.mine) role.start();
  }

  /** Runs before the connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.mine.map((role) => role.stop()));
    await this.index?.stop();
    await this.locks.close();
  }
}
