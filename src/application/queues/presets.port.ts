import type { BatchOffer, BatchPhase, RerunReporting } from '../../domain/batch/batch.policy.js';
import type { OfferedCommand } from '../../domain/queue/queue.policy.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { PolicyChanges } from './policy-changes.js';

/** A ready-made policy modelled on a known kind of system: its defaults, its words, and the commands that it offers. */
export interface Preset {
  readonly name: string;
  readonly description: string;
  readonly policy: PolicyChanges;
  readonly vocabulary: Readonly<Record<TaskStatus, string>>;
  readonly commands: readonly OfferedCommand[];
}

/** The same for batches. */
export interface BatchPreset {
  readonly name: string;
  readonly description: string;
  readonly reRunReporting: RerunReporting;
  readonly vocabulary: Readonly<Record<BatchPhase, string>>;
  readonly commands: readonly BatchOffer[];
}

export abstract class Presets {
  /** Null if no preset has the name. */
  abstract named(name: string): Preset | null;

  abstract names(): readonly string[];

  /** Null if no batch preset has the name. */
  abstract ofBatches(name: string): BatchPreset | null;

  abstract namesOfBatches(): readonly string[];
}
