import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { topFrame } from '../../domain/kernel/fingerprint.js';
import { InvalidCursor } from '../kernel/cursor.js';
import type { PastPageRequest } from '../kernel/page-as-of.js';
import { decodePastCursor, encodePastCursor } from '../kernel/past-cursor.js';
import { type Moment, NotThereThen, Past } from '../kernel/past.port.js';
import type { FailureGroupFilter, GroupRow } from './failure-group-rows.js';
import { type FailureGroupView, repairOf, saidOf, summaryOf } from './failure-group-view.js';
import { errorsOf } from './failure-texts.js';
import { FailuresOfGroup } from './failures-of-group.js';
import { GROUP_ID } from '../../domain/task/failures.events.js';
import { type FailureGroupPage, type GroupOrder, MOST_GROUPS } from './list-failure-groups.query.js';
import { PastGroups } from './past-groups.js';
import { WhatPreceded } from './what-preceded.js';

/** An event by which a task stops to be failed does not say with what it was; one message does not say what it shares with others. */
export const NOT_TOLD_OF_GROUPS = ['failedNow', 'title'] as const;

/** The groups of failures that there were, as they were. Throws `InvalidCursor`, `HistoryNotReady` and `TooMuchToFold`. */
export class ListFailureGroupsAsOf extends Query<FailureGroupPage> {
  constructor(
    readonly filter: FailureGroupFilter,
    readonly order: GroupOrder,
    readonly page: PastPageRequest,
  ) {
    super();
  }
}

const RANKS: Readonly<Record<GroupOrder, (row: GroupRow) => number>> = {
  latest: ({ lastSeenAt }) => lastSeenAt.getTime(),
  most: ({ tasks, attempts }) => Math.max(tasks, attempts),
};

@QueryHandler(ListFailureGroupsAsOf)
export class ListFailureGroupsAsOfHandler implements IQueryHandler<ListFailureGroupsAsOf> {
  constructor(
    private readonly past: Past,
    private readonly groups: PastGroups,
  ) {}

  async execute({ filter, order, page }: ListFailureGroupsAsOf): Promise<FailureGroupPage> {
    const { moment, cursor, limit } = page;
    const list = { list: 'failure-groups', order, ...filter };
    const after = cursor === null ? null : decodePastCursor(list, cursor, GROUP_ID);
    const found = [...(await this.groups.matching(filter, moment))].sort(descending(RANKS[order]));
    const begin = after === null ? 0 : found.findIndex(({ group }) => group === after) + 1;
    if (after !== null && begin === 0)
      throw new InvalidCursor(`Expected a cursor that a list returned, but got '${cursor}'`);
    const items = found.slice(begin, begin + Math.min(limit, MOST_GROUPS));
    const isLast = begin + items.length === found.length;
    const errors = await errorsOf(this.past, items);
    return {
      items: items.map((row, at) => summaryOf(row, errors[at]!)),
      nextCursor: isLast ? null : encodePastCursor(list, moment, items.at(-1)!.group),
    };
  }
}

const descending =
  (rank: (row: GroupRow) => number) =>
  (one: GroupRow, other: GroupRow): number =>
    rank(other) - rank(one) || (one.group < other.group ? 1 : -1);

/** A group of failures as it was, of all queues or of one. Throws `NotThereThen`, `HistoryNotReady` and `TooMuchToFold`. */
export class GetFailureGroupAsOf extends Query<FailureGroupView> {
  constructor(
    readonly group: string,
    readonly queue: string | undefined,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(GetFailureGroupAsOf)
export class GetFailureGroupAsOfHandler implements IQueryHandler<GetFailureGroupAsOf> {
  constructor(
    private readonly past: Past,
    private readonly groups: PastGroups,
    private readonly failures: FailuresOfGroup,
    private readonly preceding: WhatPreceded,
  ) {}

  async execute({ group, queue, moment }: GetFailureGroupAsOf): Promise<FailureGroupView> {
    const found = await this.groups.matching(queue === undefined ? {} : { queue }, moment);
    const row = found.find((one) => one.group === group);
    // Of one queue nothing says since when.
    if (row === undefined) throw new NotThereThen(queue === undefined ? await this.failures.firstOf(group) : null);
    const began = row.returned?.at ?? row.firstSeenAt.toISOString();
    const upTo = moment.position;
    const [[errors], figures, preceded] = await Promise.all([
      errorsOf(this.past, [row]),
      this.failures.figures({ row, queue, upTo }),
      this.preceding.before(began, row.queues, upTo),
    ]);
    const { at, task, queue: into } = row.returned ?? {};
    return {
      ...summaryOf(row, errors!),
      frame: errors!.newest && topFrame(errors!.newest),
      said: saidOf(row.said),
      lastRepair: repairOf(row.repair),
      returned: row.returned && { at: at!, task: task!, queue: into! },
      ...figures,
      preceded,
    };
  }
}
