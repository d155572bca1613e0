import type { RecordedEvent } from '../application/kernel/recorded-event.js';
import type { PolicyChanges } from '../application/queues/policy-changes.js';
import { Appends } from './appends.js';
import { ExportFile, type Unreadable } from './export-file.js';
import { LogCheck } from './log-check.js';
import { type OtherDecision, OtherPolicies } from './other-policy.js';
import type { LogTraits, SeenTask } from './rule.js';
import { StreamIndex } from './stream-index.js';
import type { Violation } from './violation.js';

export interface CheckOptions {
  /** The changed policies under which decisions are made again, by queue. */
  readonly policies?: ReadonlyMap<string, PolicyChanges>;
  /** Whether the work of the log is done, so that nothing may be left over at its end. */
  readonly isOver?: boolean;
  readonly onFinding: (finding: Finding) => void;
}

export type Finding =
  | { readonly broken: Violation }
  | { readonly unreadable: Unreadable }
  | { readonly other: OtherDecision };

export interface CheckResult {
  readonly events: number;
  /** The position of the last event; 0 if there is none. */
  readonly position: bigint;
  /** Rules that were broken, and events that cannot be read. */
  readonly faults: number;
  /** Decisions that would be others under the other policies. */
  readonly others: number;
  /** The most tasks that were at hand at once. */
  readonly mostOpen: number;
  /** What was not looked at, and why. */
  readonly skipped: readonly string[];
  /** Queues with another policy, of which the log has no task. */
  readonly unmet: readonly string[];
}

/**
 * Reads an export twice: first its streams, then its events. Every event is read, every stream folded, every rule looked at at each
 * position, and every command of a task decided again. Throws `BadExport` if the file cannot be read.
 */
export async function checkExport(path: string, options: CheckOptions): Promise<CheckResult> {
  const file = new ExportFile(path);
  const { private: isWhole } = await file.head();
  const { index, hasGaps, ...log } = await survey(file);
  // Only positions of EventStoreDB have gaps, where claims are recorded in any order.
  const run = new CheckRun(index, { isWhole, claimsTakeTurns: !hasGaps, isForeign: true }, options);
  for await (const some of file.events()) for (const one of some) run.take(one);
  return { ...log, ...run.end(), skipped: isWhole ? [] : [...WITHOUT_PRIVATE, ...run.skipped()] };
}

const WITHOUT_PRIVATE: readonly string[] = [
  'I5 and the order of I15: keys and references are private',
  'the part of I20 on holds that catch labels, which are private',
  'the private members of what commands decide again, such as payloads, results, keys and texts of errors',
];

async function survey(file: ExportFile) {
  const index = new StreamIndex();
  let [events, position, hasGaps] = [0, 0n, false];
  for await (const places of file.places())
    for (const { stream, position: next } of places) {
      index.count(stream);
      hasGaps ||= events > 0 && next !== position + 1n;
      position = next;
      events++;
    }
  return { index, hasGaps, events, position };
}

class CheckRun {
  private readonly check: LogCheck;
  private readonly appends = new Appends();
  private readonly others: OtherPolicies;
  private readonly tally = { faults: 0, others: 0, mostOpen: 0 };

  constructor(
    index: StreamIndex,
    traits: LogTraits,
    private readonly options: CheckOptions,
  ) {
    const policies = options.policies ?? new Map<string, PolicyChanges>();
    this.check = new LogCheck(traits, index, policies.size > 0 ? (append) => this.decideOtherwise(append) : undefined);
    this.others = new OtherPolicies(this.check.decisions, policies);
  }

  take(one: RecordedEvent | Unreadable): void {
    if ('reason' in one) this.tell({ unreadable: one }, 'faults');
    else this.judge(this.appends.take(one));
  }

  end(): Omit<CheckResult, 'events' | 'position' | 'skipped'> {
    this.judge(this.appends.end());
    if (this.options.isOver) for (const broken of this.check.end()) this.tell({ broken }, 'faults');
    return { ...this.tally, unmet: this.others.unmet };
  }

  /** The decisions that were left out, by the type of their events. */
  skipped(): readonly string[] {
    const { skipped } = this.check.decisions;
    return [...skipped].sort().map(([type, count]) => `I7 of ${count} '${type}': what it says anew is private`);
  }

  private judge(append: readonly RecordedEvent[] | null): void {
    if (append === null) return;
    for (const broken of this.check.take(append)) this.tell({ broken }, 'faults');
    this.tally.mostOpen = Math.max(this.tally.mostOpen, this.check.open);
  }

  private decideOtherwise(append: readonly SeenTask[]): void {
    const other = this.others.otherwise(append);
    if (other) this.tell({ other }, 'others');
  }

  private tell(finding: Finding, as: 'faults' | 'others'): void {
    this.tally[as]++;
    this.options.onFinding(finding);
  }
}
