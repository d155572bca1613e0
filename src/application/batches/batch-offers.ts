import { Injectable } from '@nestjs/common';
import { allowedOnBatch } from '../../domain/batch/batch.commands.js';
import type { BatchEventOf, BatchStatus } from '../../domain/batch/batch.events.js';
import {
  type BatchOffer,
  type BatchPhase,
  isOffered,
  OFFERABLE_BATCH_COMMANDS,
  type OfferableBatchCommand,
  type RerunReporting,
} from '../../domain/batch/batch.policy.js';
import { phaseOf, type Planner } from '../../domain/batch/phase.policy.js';
import type { BatchState, KnownBatch } from '../../domain/batch/batch.state.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { fold } from '../../domain/kernel/decider.js';
import { taskDecider } from '../../domain/task/task.decider.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Refused } from '../kernel/application-error.js';
import { EventStore } from '../kernel/event-store.port.js';
import type { UnitOfWork } from '../kernel/unit-of-work.js';

/** Which commands of people a batch takes, by its policy and its phase. */
@Injectable()
export class BatchOffers {
  constructor(private readonly store: EventStore) {}

  /**
   * Throws `Refused` unless the batch offers the command. With a unit, the phase is that at the moment of its commit. A
   * batch without a policy, or an unknown one, offers everything: its own rules decide.
   */
  async assert(command: OfferableBatchCommand, state: BatchState, unit?: UnitOfWork): Promise<void> {
    if (state.status === 'unknown' || state.batch.policy?.commands === undefined) return;
    const { commands, vocabulary, preset = null } = state.batch.policy;
    const phase = await this.phaseOf(state, unit);
    if (isOffered(command, phase, commands)) return;
    const offered = OFFERABLE_BATCH_COMMANDS.filter((one) => isOffered(one, phase, commands));
    const name = vocabulary?.[phase] ?? phase;
    throw new Refused({ code: 'BATCH_COMMAND_NOT_OFFERED', command, state: name, preset, offered });
  }

  /** Whether the stream of the batch's planner decides, too, which commands the batch offers, at any time in its life. */
  async dependOnPlanner(batch: string): Promise<boolean> {
    const [history] = await this.store.readStreams([batchStream(batch)]);
    const created = history!.find(({ event }) => event.type === 'BatchCreated')?.event as BatchCreated | undefined;
    return created?.data.planner !== undefined && created.data.policy?.commands !== undefined;
  }

  private async phaseOf({ status, batch }: KnownBatch, unit?: UnitOfWork): Promise<BatchPhase> {
    if (status !== 'planning' || batch.planner === undefined) return phaseOf(status, null);
    const [history] = await (unit ?? this.store).readStreams([taskStream(batch.planner)]);
    return phaseOf(status, plannerOf(history!.map(({ event }) => event as TaskEvent)));
  }
}

type BatchCreated = BatchEventOf<'BatchCreated'>;

const BEGINNINGS: readonly string[] = ['TaskClaimed', 'TaskReleased'];

function plannerOf(events: readonly TaskEvent[]): Planner | null {
  const { status } = fold(taskDecider, events);
  return status === 'unknown' ? null : { status, begun: events.some(({ type }) => BEGINNINGS.includes(type)) };
}

/** What is known of a batch without its history. */
export interface ShownBatch {
  readonly state: BatchStatus;
  readonly phase: BatchPhase;
  readonly error: string | null;
  readonly reRunReporting: RerunReporting;
  readonly rerun: string | null;
  readonly offers: readonly BatchOffer[] | null;
}

/** The commands that the batch takes now. */
export const commandsOnBatch = (batch: ShownBatch): readonly OfferableBatchCommand[] =>
  OFFERABLE_BATCH_COMMANDS.filter((command) => isOffered(command, batch.phase, batch.offers) && takes(command, batch));

function takes(command: OfferableBatchCommand, { state, phase, error, reRunReporting, rerun }: ShownBatch): boolean {
  switch (command) {
    case 'ReleaseBatch':
      return phase === 'held';
    case 'RequestReport':
      return state === 'failed' && error === null && reRunReporting !== 'own';
    case 'RerunBatch':
      return state === 'failed' && error === null && reRunReporting === 'rerun-batch' && rerun === null;
    default:
      return allowedOnBatch(state).includes(command);
  }
}
