import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { LogLine } from '../../domain/kernel/log-line.js';
import type { ProgressBar } from '../../domain/kernel/progress-bar.js';
import type { CommandContext } from '../kernel/command-context.js';
import { LeaseRepository, type LeaseExtension, type LeaseRef } from '../kernel/lease-repository.port.js';
import { LateReports } from './late-reports.js';
import { parseClaimToken } from './claim-token.js';
import { TaskLog } from './task-log.port.js';
import { TaskProgress } from './task-progress.port.js';

export type { LeaseExtension } from '../kernel/lease-repository.port.js';

export interface Heartbeat {
  readonly taskId: string;
  readonly token: string;
  /** Every bar of the attempt; absent if nothing has changed. */
  readonly progress?: readonly ProgressBar[] | undefined;
  /** What its handler said since the last heartbeat that was answered. */
  readonly log?: readonly LogLine[] | undefined;
}

/**
 * Extends each standing lease to now plus its own length, and keeps the progress and the lines reported with it. Returns one answer
 * per item, in order, and records no event.
 */
export class ExtendLeases extends Command<readonly LeaseExtension[]> {
  constructor(
    readonly items: readonly Heartbeat[],
    readonly context: CommandContext,
  ) {
    super();
  }
}

@CommandHandler(ExtendLeases)
export class ExtendLeasesHandler implements ICommandHandler<ExtendLeases> {
  constructor(
    private readonly leases: LeaseRepository,
    private readonly progress: TaskProgress,
    private readonly log: TaskLog,
    private readonly lateReports: LateReports,
  ) {}

  async execute({ items, context }: ExtendLeases): Promise<readonly LeaseExtension[]> {
    const extensions = await this.leases.extend(items.map(leaseRef));
    const standing = items.filter((_, index) => extensions[index]!.kind === 'extended');
    await this.recordProgress(standing);
    await this.keepLines(standing);
    const lost = items.filter((_, index) => extensions[index]!.kind === 'lost');
    await this.lateReports.record(
      lost.map((item) => ({ ...item, report: 'extend' })),
      context,
    );
    return extensions;
  }

  private async recordProgress(items: readonly Heartbeat[]): Promise<void> {
    const reports = items.flatMap(({ progress, ...item }) => (progress ? [{ ...leaseRef(item), bars: progress }] : []));
    if (reports.length > 0) await this.progress.record(reports);
  }

  private async keepLines(items: readonly Heartbeat[]): Promise<void> {
    const reports = items.flatMap(({ log = [], ...item }) =>
      log.length > 0 ? [{ ...leaseRef(item), lines: log }] : [],
    );
    if (reports.length > 0) await this.log.append(reports);
  }
}

/** A text that is no token refers to no lease. */
export const leaseRef = ({ taskId, token }: { readonly taskId: string; readonly token: string }): LeaseRef => ({
  taskId,
  ...(parseClaimToken(token) ?? NO_LEASE),
});

/** No lease has these: tokens begin at 1, and no secret is the nil UUID. */
const NO_LEASE = { token: '0', secret: '00000000-0000-0000-0000-000000000000' };
