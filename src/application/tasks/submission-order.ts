import { cycleThrough } from '../../domain/kernel/cycle.js';
import { levelsOf } from '../../domain/kernel/levels.js';
import { idOf } from '../../domain/task/prerequisites.js';
import type { Prerequisite } from '../../domain/task/task.events.js';

/** A task to submit, which may wait for others of the same call. */
interface SubmittedTask {
  readonly id: string;
  readonly after: readonly Prerequisite[];
}

export interface SubmissionOrder<T> {
  /** Each task comes after those of the same call that it waits for. */
  readonly ordered: readonly T[];
  /** The tasks that have no place in the order, each with a cycle that it is in, or waits for. */
  readonly cyclic: readonly { readonly one: T; readonly cycle: readonly string[] }[];
}

/** The order in which to submit tasks, so that those that they wait for exist. */
export function submissionOrder<T>(all: readonly T[], describe: (one: T) => SubmittedTask): SubmissionOrder<T> {
  const described = all.map(describe);
  if (described.every(({ after }) => after.length === 0)) return { ordered: all, cyclic: [] };
  const byId = new Map(described.map(({ id }, at) => [id, all[at]!]));
  const needs = new Map(described.map(({ id, after }) => [id, after.map(idOf)]));
  const placed = new Set(levelsOf([...byId.keys()], (id) => needs.get(id)!).flat());
  const cyclic = [...byId.keys()].filter((id) => !placed.has(id));
  return {
    ordered: [...placed].map((id) => byId.get(id)!),
    cyclic: cyclic.map((id) => ({ one: byId.get(id)!, cycle: cycleFrom(id, needs) })),
  };
}

/** The cycle that the task is in, or else one that it leads to. */
function cycleFrom(id: string, needs: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const needsOf = (node: string): readonly string[] => needs.get(node) ?? [];
  for (const seen = new Set<string>(), open = [id]; open.length > 0;) {
    const node = open.pop()!;
    const cycle = cycleThrough(node, needsOf);
    if (cycle) return cycle;
    seen.add(node);
    open.push(...needsOf(node).filter((need) => !seen.has(need)));
  }
  throw new Error(`Expected task '${id}' to lead to a cycle, but it does not`);
}
