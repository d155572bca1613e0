import { Injectable, Optional } from '@nestjs/common';
import { AGGREGATES } from '../../domain/aggregates.js';
import { rerunReportingOf } from '../../domain/batch/batch.policy.js';
import type { BatchState } from '../../domain/batch/batch.state.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { Refused } from './application-error.js';
import { Directory } from './directory.js';
import { EventStore, type Refusal } from './event-store.port.js';
import { IndexRows } from './index-rows.port.js';

/** The batches, cached for up to two seconds. Their policies never change. */
@Injectable()
export class BatchDirectory extends Directory<BatchState> {
  constructor(
    store: EventStore,
    @Optional() private readonly rows?: IndexRows,
  ) {
    super(store, AGGREGATES.batch);
  }

  /** Throws `Refused` if the batch has ended and runs its failed tasks again in a batch of their own only. */
  async assertRetries(batch: string): Promise<void> {
    const { state } = await this.get(batch);
    if (state.status === 'unknown' || rerunReportingOf(state.batch) !== 'rerun-batch') return;
    if (isGoingOn(state) && isGoingOn((await this.getFresh([batch])).get(batch)!.state)) return;
    throw new Refused({ code: 'RERUN_IN_BATCH', batch });
  }

  /**
   * For callers whose appends are refused because of a batch. If its history contradicts that, its row in the index may be wrong, and is
   * compared. Returns whether to try again.
   */
  async doubt(refusal: Refusal): Promise<boolean> {
    const said = saidOf(refusal);
    if (!said) return false;
    const { status } = (await this.getEach([said.batch])).found.get(said.batch)?.state ?? UNKNOWN;
    if (status === 'unknown' || status === said.state) return false;
    await this.rows?.mend([batchStream(said.batch)]);
    return true;
  }
}

const UNKNOWN = { status: 'unknown' } as const;

/** What a refusal says of a batch, or of something that may be one. */
function saidOf(refusal: Refusal): { readonly batch: string; readonly state?: string } | null {
  switch (refusal.constraint) {
    case 'batch-not-found':
    case 'batch-ended':
      return refusal;
    case 'prerequisite-not-found':
    case 'prerequisite-dead':
      return { ...refusal, batch: refusal.prerequisite };
    default:
      return null;
  }
}

const isGoingOn = ({ status }: BatchState): boolean => status === 'planning' || status === 'running';
