import { Injectable } from '@nestjs/common';
import { type ClaimRequest, NOTHING_TO_CLAIM } from '../../application/claims/task-claimer.port.js';
import { isConnectionError } from '../../application/kernel/connection-errors.js';
import { EventStoreUnavailable } from '../../application/kernel/event-store.port.js';
import { QueueDirectory, type QueueEntry } from '../../application/kernel/queue-directory.js';
import type { QueueFacts } from '../../domain/queue/queue.state.js';
import type { Granted } from './claim-batcher.js';
import { ClaimRepeats } from './claim-repeats.js';

/** One look at the lane for some requests. */
export interface ClaimRound {
  /** False: nothing was claimed, because requests are repeated, or the queue or a claim changed meanwhile. */
  readonly claimed: boolean;
  /** By request. */
  readonly granted: readonly Granted[];
  /** The claim ids that were granted tasks before. */
  readonly repeated: readonly string[];
}

export const NOTHING_CLAIMED: ClaimRound = { claimed: false, granted: [], repeated: [] };

/** How a queue, as it was seen, serves requests. */
export type ClaimOnce = (
  entry: QueueEntry,
  facts: QueueFacts,
  requests: readonly ClaimRequest[],
) => Promise<ClaimRound>;

const ATTEMPTS = 3;

/** Serves the requests of a queue, again where the queue changed meanwhile; those that are repeated get what they got before. */
@Injectable()
export class ClaimRetry {
  constructor(
    private readonly directory: QueueDirectory,
    private readonly repeats: ClaimRepeats,
  ) {}

  /** An answer per request, in order; one request's refusal is its own. */
  async serve(queue: string, requests: readonly ClaimRequest[], once: ClaimOnce): Promise<readonly Granted[]> {
    try {
      return await this.serveAll(queue, requests, once);
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      // What was claimed under an unknown outcome is found again by the claim id, or comes back when its lease ends.
      throw new EventStoreUnavailable('Expected to claim tasks, but the database does not answer', { cause: error });
    }
  }

  private async serveAll(queue: string, requests: readonly ClaimRequest[], once: ClaimOnce): Promise<Granted[]> {
    const grants = new Map<ClaimRequest, Granted>(requests.map((request) => [request, NOTHING_TO_CLAIM]));
    let open = requests;
    for (let attempt = 0; attempt < ATTEMPTS && open.length > 0; attempt++) {
      const entry = await this.directory.get(queue);
      if (!('queue' in entry.state)) break;
      const round = await once(entry, entry.state.queue, open);
      round.granted.forEach((granted, index) => grants.set(open[index]!, granted));
      const answered = await this.answerRepeats(open, round, grants);
      if (round.claimed) break;
      open = open.filter((request) => !answered.has(request));
      this.directory.forget(queue);
    }
    return requests.map((request) => grants.get(request)!);
  }

  /** Which requests have their answer. */
  private async answerRepeats(
    open: readonly ClaimRequest[],
    round: ClaimRound,
    grants: Map<ClaimRequest, Granted>,
  ): Promise<ReadonlySet<ClaimRequest>> {
    const repeated = open.filter(({ claimId }) => round.repeated.includes(claimId));
    const answers = await Promise.all(repeated.map((request) => this.repeats.answerAgain(request)));
    repeated.forEach((request, index) => answers[index] && grants.set(request, answers[index]));
    return new Set(repeated.filter((_, index) => answers[index]));
  }
}
