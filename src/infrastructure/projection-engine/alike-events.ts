import type { LogSegment } from '../../application/kernel/log-segment.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import type { AnyRule, Occurrence } from '../../projections/kernel/projection.js';
import type { RowChange } from '../../projections/kernel/row-change.js';

/** What each of some events makes, which follow one another in a segment. */
export interface AlikeEvents {
  readonly changes: readonly RowChange[];
  readonly count: number;
}

/** After so many events in a row that differ from those before them, nobody looks any more. */
const DIFFER = 4;

/**
 * The events of a segment in runs of which each makes the same changes. A rule is a function of what it reads, so an event that
 * has the same in all members that the rule has read of the one before makes what that one made. Most are alike: the tasks of a
 * request differ in payloads and tokens, which no rule reads.
 */
export class AlikeRuns {
  private readonly read = new ReadMembers();
  private differing = 0;

  constructor(
    private readonly rule: AnyRule,
    private readonly segment: LogSegment,
    private readonly data: readonly object[],
  ) {}

  /** The run that begins with the event at `start`. */
  from(start: number): AlikeEvents {
    if (this.differing >= DIFFER) return { changes: this.apply(this.data[start]!, start), count: 1 };
    const changes = this.apply(this.read.of(this.data[start]!), start);
    let end = start + 1;
    while (end < this.data.length && this.read.areAlike(this.data[end]!)) end++;
    this.differing = end - start > 1 ? 0 : this.differing + 1;
    return { changes, count: end - start };
  }

  private apply(data: object, at: number): readonly RowChange[] {
    const { type, version } = this.segment;
    return this.rule(new OneOf(this.segment, at, { type, version, data }, this.read));
  }
}

/** An event of a segment, as a rule gets it. */
class OneOf implements Occurrence {
  constructor(
    private readonly segment: LogSegment,
    private readonly at: number,
    readonly event: DomainEvent,
    private readonly read: ReadMembers,
  ) {}

  get recordedAt(): string {
    return this.segment.recordedAt;
  }

  get stream(): string {
    this.read.noteWhole();
    return this.segment.events()[this.at]!.stream;
  }

  get position(): bigint {
    this.read.noteWhole();
    return this.segment.positionAt(this.at);
  }
}

type Members = Readonly<Record<string | symbol, unknown>>;

/** The members of an object that were read through its stand-in. */
class ReadMembers {
  private readonly names = new Set<string | symbol>();
  private whole = false;
  private data: Members = {};

  /** Stands for the object. Reading it as a whole counts as reading what no other object has. */
  private readonly standIn = new Proxy<Members>(
    {},
    {
      get: (_, name) => this.note(name)[name],
      has: (_, name) => name in this.note(name),
      ownKeys: () => {
        this.whole = true;
        return Reflect.ownKeys(this.data);
      },
      getOwnPropertyDescriptor: (_, name) => {
        const found = Reflect.getOwnPropertyDescriptor(this.note(name), name);
        return found && { ...found, configurable: true };
      },
    },
  );

  /** What was read has no other object. */
  noteWhole(): void {
    this.whole = true;
  }

  of(data: object): object {
    this.names.clear();
    this.whole = false;
    this.data = data as Members;
    return this.standIn;
  }

  /** Whether the object has in these members what the one before has. An absent one differs from one that is undefined. */
  areAlike(other: object): boolean {
    if (this.whole) return false;
    for (const name of this.names) {
      if (this.data[name] !== (other as Members)[name] || name in this.data !== name in other) return false;
    }
    return true;
  }

  private note(name: string | symbol): Members {
    this.names.add(name);
    return this.data;
  }
}
