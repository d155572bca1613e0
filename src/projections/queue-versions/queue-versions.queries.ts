import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { EventLog, type Recorded } from '../kernel/event-log.port.js';
import { MOST_PER_PAGE, type Page, pageOf } from '../kernel/page.js';
import { decodePastCursor, encodePastCursor } from '../kernel/past-cursor.js';
import { type Moment, Past } from '../kernel/past.port.js';
import { streamAsOf } from '../kernel/stream-as-of.js';
import {
  blame,
  type BlamedField,
  type FieldChange,
  fieldChanges,
  type PolicyVersion,
  policyVersions,
} from './policy-versions.js';

export type PolicyVersionPage = Page<PolicyVersion>;

/** The versions of a queue's policy, the newest first, also of a deleted queue; null if there never was one of the name. As of a moment: those that there were. Throws `InvalidCursor`, and of a moment `NotThereThen`. */
export class ListPolicyVersions extends Query<PolicyVersionPage | null> {
  constructor(
    readonly queue: string,
    readonly cursor: string | null,
    readonly limit: number,
    readonly moment: Moment | null = null,
  ) {
    super();
  }
}

export interface PolicyDiff {
  readonly queue: string;
  readonly from: number;
  readonly to: number;
  readonly changes: readonly FieldChange[];
}

/** There is no such version. */
export class UnknownVersion extends Error {
  override readonly name = 'UnknownVersion';

  constructor(
    readonly parameter: 'fromVersion' | 'toVersion',
    version: number,
    newest: number,
  ) {
    super(`Expected a version of the policy, up to ${newest}, but got ${version}`);
  }
}

/** In which fields two versions differ; null if there never was such a queue. Throws `UnknownVersion`. */
export class DiffPolicyVersions extends Query<PolicyDiff | null> {
  constructor(
    readonly queue: string,
    readonly from: number,
    readonly to: number,
  ) {
    super();
  }
}

export interface PolicyBlame {
  readonly queue: string;
  /** The newest version. */
  readonly version: number;
  readonly fields: readonly BlamedField[];
}

/** Who set each field of the newest version, of then as of a moment; null if there never was such a queue. Of a moment throws `NotThereThen`. */
export class BlamePolicy extends Query<PolicyBlame | null> {
  constructor(
    readonly queue: string,
    readonly moment: Moment | null = null,
  ) {
    super();
  }
}

@QueryHandler(ListPolicyVersions)
export class ListPolicyVersionsHandler implements IQueryHandler<ListPolicyVersions> {
  constructor(
    private readonly log: EventLog,
    private readonly past: Past,
  ) {}

  async execute({ queue, cursor, limit, moment }: ListPolicyVersions): Promise<PolicyVersionPage | null> {
    const history = moment ? streamAsOf(this.past, queueStream(queue), moment) : historyOf(this.log, queue);
    const all = policyVersions(await history);
    if (all.length === 0) return null;
    const list = { list: 'policy-versions', queue };
    const before = cursor === null ? Infinity : Number(versionIn(list, cursor, moment));
    const chosen = [...all].reverse().filter(({ version }) => version < before);
    return pageOf(chosen, Math.min(limit, MOST_PER_PAGE), ({ version }) => cursorAfter(list, String(version), moment));
  }
}

@QueryHandler(DiffPolicyVersions)
export class DiffPolicyVersionsHandler implements IQueryHandler<DiffPolicyVersions> {
  constructor(private readonly log: EventLog) {}

  async execute({ queue, from, to }: DiffPolicyVersions): Promise<PolicyDiff | null> {
    const all = policyVersions(await historyOf(this.log, queue));
    if (all.length === 0) return null;
    const find = (parameter: UnknownVersion['parameter'], wanted: number): PolicyVersion => {
      const found = all.find(({ version }) => version === wanted);
      if (!found) throw new UnknownVersion(parameter, wanted, all.at(-1)!.version);
      return found;
    };
    return { queue, from, to, changes: fieldChanges(find('fromVersion', from), find('toVersion', to)) };
  }
}

@QueryHandler(BlamePolicy)
export class BlamePolicyHandler implements IQueryHandler<BlamePolicy> {
  constructor(
    private readonly log: EventLog,
    private readonly past: Past,
  ) {}

  async execute({ queue, moment }: BlamePolicy): Promise<PolicyBlame | null> {
    const history = await (moment ? streamAsOf(this.past, queueStream(queue), moment) : historyOf(this.log, queue));
    const newest = policyVersions(history).at(-1);
    return newest ? { queue, version: newest.version, fields: blame(history) } : null;
  }
}

async function historyOf(log: EventLog, queue: string): Promise<readonly Recorded[]> {
  const [history] = await log.readStreams([queueStream(queue)]);
  return history!;
}

const versionIn = (list: object, cursor: string, moment: Moment | null): string =>
  moment ? decodePastCursor(list, cursor, VERSION) : decodeCursor(list, cursor, isNumber)[0];

const cursorAfter = (list: object, version: string, moment: Moment | null): string =>
  moment ? encodePastCursor(list, moment, version) : encodeCursor(list, [version]);

const VERSION = /^[1-9][0-9]{0,8}$/;

const isNumber = (place: readonly unknown[]): place is readonly [string] =>
  place.length === 1 && typeof place[0] === 'string' && VERSION.test(place[0]);
