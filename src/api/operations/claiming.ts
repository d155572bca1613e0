import { Injectable, Logger } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ClaimedTask, HolderLimit } from '../../application/claims/claim-source.port.js';
import { ClaimTasks } from '../../application/claims/claim-tasks.handler.js';
import { SettleTasks } from '../../application/claims/settle-tasks.handler.js';
import { Refused } from '../../application/kernel/application-error.js';
import { newId } from '../../application/kernel/new-id.js';
import type { ClaimFacts } from '../dto/claim.dto.js';
import { ApiError } from '../problems/api-error.js';
import { type Call, contextOf } from './call.js';
import { type RefusalView, refusalView } from './claim-refusal.js';
import { ClientGone } from './client-gone.js';
import { UnreadClaims } from './unread-claims.js';

export interface ClaimBody {
  readonly tasks: readonly ClaimedTask[];
  readonly position: string | null;
  readonly refusal?: RefusalView;
}

/** Claims for callers that may leave before they have read what they got. */
@Injectable()
export class Claiming {
  private readonly logger = new Logger(Claiming.name);
  private readonly unread = new UnreadClaims();

  constructor(private readonly commands: CommandBus) {}

  /** Claims tasks of the call's queue. Throws what the claim alone is answered with, such as that the holder runs enough. */
  async claim(call: Call<ClaimFacts>, waitMs: number): Promise<ClaimBody> {
    const { on: queue, signal } = call;
    const { worker, server = worker, max = 1, steps, offers, build, leaseMs = null } = call.body;
    const { claimId = newId(), stuck } = call.body;
    const { tasks, position, refusal } = await this.unread.during(claimId, () =>
      this.commands.execute(
        new ClaimTasks({
          queue,
          worker,
          server,
          max,
          ...(steps && { steps }),
          ...(offers && { offers }),
          ...(build !== undefined && { build }),
          ...(stuck !== undefined && { stuck }),
          waitMs,
          leaseMs,
          claimId,
          signal,
          context: contextOf(call, worker),
          ...limitOf(call),
        }),
      ),
    );
    // The claim ended with its API key. What it got before is leased, and its caller must know.
    if (tasks.length === 0 && signal.reason instanceof ApiError) throw signal.reason;
    if (tasks.length === 0 && refusal?.code === 'HOLDER_FULL') throw new Refused(refusal);
    await this.giveBackUnread(call, claimId, tasks);
    return { tasks, position, ...(refusal && { refusal: refusalView(queue, refusal) }) };
  }

  /**
   * Nobody has these tasks if the client has left, or leaves before the answer is written: they are returned unstarted. A
   * claim that ends with its API key is still answered.
   */
  async giveBackUnread(
    call: Call<{ readonly worker: string }>,
    claimId: string,
    tasks: readonly Pick<ClaimedTask, 'taskId' | 'token'>[],
  ): Promise<void> {
    const { signal } = call;
    if (tasks.length === 0) return;
    const giveBack = () => {
      const verdict = { type: 'return', unstarted: true } as const;
      const items = tasks.map(({ taskId, token }) => ({ taskId, token, verdict }));
      return this.unread.giveBack(claimId, () =>
        this.commands.execute(new SettleTasks(items, contextOf(call, call.body.worker))),
      );
    };
    if (signal.aborted && !(signal.reason instanceof ApiError)) return giveBack();
    const onAbort = (): void => {
      if (signal.reason instanceof ClientGone) giveBack().catch((error: unknown) => this.logger.warn(String(error)));
    };
    signal.addEventListener('abort', onAbort, { once: true });
  }
}

/** The limit of the tasks that run for the holder of the caller's API key. */
export function limitOf({ caller: { principal } }: Call): { readonly limit?: HolderLimit } {
  const most = principal?.quota?.runningTasks;
  return most === undefined ? {} : { limit: { holder: principal!.name, most } };
}
