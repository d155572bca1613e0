import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { Role } from './config.js';
import type { Leaders } from '../infrastructure/leadership/leaders.js';

/** `start` and `stop` are safe to call twice. `stop` waits for the work in progress. */
interface Running {
  start(): void;
  stop(): Promise<void>;
}

/** The roles that need no operations of the API. The role `api` works on request. */
type CoreRole = Exclude<Role, 'api' | 'steward'>;

/** The background roles of this process. The role `api` is not among them, because it works on request. */
export class Roles implements BeforeApplicationShutdown {
  private mine: readonly Running[];
  private readonly index: Running | null;

  constructor(
    roles: readonly Role[],
    running: Readonly<Record<CoreRole, readonly Running[]>>,
    private readonly leaders: Leaders,
    /** The follower of the index, in the role `projector`. Appends wait for it, so it stops after the others. */
    index: Running | null = null,
  ) {
    this.mine = roles.filter((role) => role !== 'api' && role !== 'steward').flatMap((role) => running[role]);
    this.index = roles.includes('projector') ? index : null;
  }

  /** `more`: what is composed elsewhere, and also needs the index while it stops. */
  start(...more: readonly Running[]): void {
    this.mine = [...this.mine, ...more];
    this.index?.start();
    for (const role of this.mine) role.start();
  }

  /** Runs before the connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.mine.map((role) => role.stop()));
    await this.index?.stop();
    await this.leaders.close();
  }
}
