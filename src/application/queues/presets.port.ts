import type { OfferedCommand } from '../../domain/queue/queue.policy.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { PolicyChanges } from './policy-changes.js';

/** A queue's policy by the name of a system that people know: its defaults, its words, and what it offers. */
export interface Preset {
  readonly name: string;
  readonly description: string;
  readonly policy: PolicyChanges;
  readonly vocabulary: Readonly<Record<TaskStatus, string>>;
  readonly commands: readonly OfferedCommand[];
}

export abstract class Presets {
  /** Null where none has the name. */
  abstract named(name: string): Preset | null;

  abstract names(): readonly string[];
}
