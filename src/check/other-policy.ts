import { changedPolicy, type PolicyChanges } from '../application/queues/policy-changes.js';
import type { QueuePolicy } from '../domain/queue/queue.policy.js';
import type { TaskEvent } from '../domain/task/task.events.js';
import type { TaskRecord } from './appends.js';
import type { SeenTask } from './rule.js';
import type { Decisions, Differing } from './rules/decisions.js';

/** What was recorded, and what would have been. */
export interface OtherDecision {
  readonly position: bigint;
  readonly stream: string;
  readonly queue: string;
  readonly recorded: readonly TaskEvent[];
  /** The events; or the code of the refusal, or that nothing would have happened. */
  readonly instead: readonly TaskEvent[] | string;
}

/** Decides the commands of queues again, each on the state that it met, under policies that differ from theirs. */
export class OtherPolicies {
  private readonly policies = new WeakMap<QueuePolicy, QueuePolicy>();
  private readonly met = new Set<string>();

  /** `changes`: by queue. */
  constructor(
    private readonly decisions: Decisions,
    private readonly changes: ReadonlyMap<string, PolicyChanges>,
  ) {}

  /** Queues whose policy changes, and of which the log has no task. */
  get unmet(): readonly string[] {
    return [...this.changes.keys()].filter((queue) => !this.met.has(queue));
  }

  /** Null if the same events would have been recorded, or if they do not follow from their own policy either: that is told as a fault. */
  otherwise(append: readonly SeenTask[]): OtherDecision | null {
    const [{ recorded: first }] = append as [SeenTask];
    const { queue } = first.event.data;
    const changes = this.changes.get(queue);
    if (changes === undefined) return null;
    this.met.add(queue);
    const differing = this.differing(append, changes);
    if (differing === null) return null;
    const { recorded, decision } = differing;
    const { position, stream } = recorded[0]!;
    const instead =
      decision.kind === 'accepted'
        ? decision.events
        : decision.kind === 'rejected'
          ? (decision.rejection as { readonly code: string }).code
          : 'nothing';
    return { position, stream, queue, recorded: recorded.map(({ event }) => event), instead };
  }

  private differing(append: readonly SeenTask[], changes: PolicyChanges): Differing | null {
    try {
      const differing = this.decisions.differing(append, (recorded) => this.changed(recorded, changes));
      return differing === null || this.decisions.differing(append) !== null ? null : differing;
    } catch {
      // It cannot be decided at all, which is told as a fault.
      return null;
    }
  }

  private changed(recorded: TaskRecord, changes: PolicyChanges): QueuePolicy {
    const policy = this.decisions.policyOf(recorded);
    const known = this.policies.get(policy) ?? changedPolicy(policy, changes);
    this.policies.set(policy, known);
    return known;
  }
}
