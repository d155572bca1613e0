import { Injectable } from '@nestjs/common';
import { batchDecider } from '../../domain/batch/batch.decider.js';
import { reRunReportingOf } from '../../domain/batch/batch.policy.js';
import type { BatchState } from '../../domain/batch/batch.state.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { Refused } from './application-error.js';
import { Directory } from './directory.js';
import { EventStore } from './event-store.port.js';

/** The batches, cached for up to two seconds. Their policies never change. */
@Injectable()
export class BatchDirectory extends Directory<BatchState> {
  constructor(store: EventStore) {
    super(store, { ...batchDecider, streamOf: batchStream });
  }

  /** Throws `Refused` if the batch has ended and runs its failed tasks again in a batch of their own only. */
  async assertRetries(batch: string): Promise<void> {
    const { state } = await this.get(batch);
    if (state.status === 'unknown' || reRunReportingOf(state.batch) !== 'rerun-batch') return;
    if (isGoingOn(state) && isGoingOn((await this.getFresh([batch])).get(batch)!.state)) return;
    throw new Refused({ code: 'RERUN_IN_BATCH', batch });
  }
}

const isGoingOn = ({ status }: BatchState): boolean => status === 'planning' || status === 'running';
