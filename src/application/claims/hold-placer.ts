import { Injectable } from '@nestjs/common';
import { taskDecider } from '../../domain/task/task.decider.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { Clock } from '../kernel/clock.port.js';
import { DeciderRunner } from '../kernel/decider-runner.js';
import { newId } from '../kernel/new-id.js';
import type { CaughtTask } from './claim-source.port.js';

/** Holds the tasks that a claim found, but may not give out. */
@Injectable()
export class HoldPlacer {
  constructor(
    private readonly runner: DeciderRunner,
    private readonly clock: Clock,
  ) {}

  /** Returns how many are held now. The others have changed since. */
  async hold(caught: readonly CaughtTask[]): Promise<number> {
    const work = caught.map(({ taskId, heldBy }) => ({
      stream: taskStream(taskId),
      command: { type: 'CatchTask', now: this.clock.iso(), by: heldBy.by, heldBy } as const,
      load: 'whole' as const,
    }));
    const context = { actor: 'holds', correlationId: newId() };
    const outcomes = await this.runner.runMany(taskDecider, work, context);
    return outcomes.filter(({ kind }) => kind === 'accepted').length;
  }
}
