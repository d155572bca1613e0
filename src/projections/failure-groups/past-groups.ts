import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { FailureGroupStatus } from '../../domain/failure-group/failure-group.events.js';
import { failureGroupStream } from '../../domain/failure-group/failure-group.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Moment, Past, TooMuchToFold } from '../kernel/past.port.js';
import { ruleFor } from '../kernel/projection.js';
import { RowsThen } from '../kernel/rows-then.port.js';
import type { FailureGroupFilter, GroupRow } from './failure-group-rows.js';
import { failureGroups } from './failure-groups.projection.js';
import { type FailuresRow, failuresThen } from './failures-then.js';
import { Grouping } from '../kernel/grouping.js';

/** What people had said of a group, and how often it had come back. */
export type SaidThen = Pick<GroupRow, 'state' | 'returns' | 'said' | 'repair' | 'returned'>;

const UNSAID: SaidThen = { state: 'open', returns: 0, said: null, repair: null, returned: null };

/** Groups of which something was said, whose histories one answer reads. */
const MOST_SAID = 5_000;

const EVER_SAID = `select group_id as "group" from failure_groups where said is not null limit ${MOST_SAID + 1}`;

/** Groups of failures as of a moment, by the rules of today. */
@Injectable()
export class PastGroups {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
    private readonly rows: RowsThen,
    private readonly grouping: Grouping,
  ) {}

  /** In no order. Throws `HistoryNotReady` and `TooMuchToFold`. */
  async matching({ queue, state, class: ofClass }: FailureGroupFilter, moment: Moment): Promise<readonly GroupRow[]> {
    const model = failuresThen((error) => this.grouping.groupOf(error));
    const rows = (await this.rows.of(model, moment)) as readonly FailuresRow[];
    const listed = rows.filter(
      (row) => (queue === undefined || row.queue === queue) && (ofClass === undefined || row.class === ofClass),
    );
    const said = await this.everySaid(moment);
    const groups = [...byGroup(listed)].map(([group, of]) => groupOf(group, of, said.get(group) ?? UNSAID));
    return state === undefined ? groups : groups.filter((group) => group.state === state);
  }

  private async everySaid(moment: Moment): Promise<ReadonlyMap<string, SaidThen>> {
    const found = await this.db.query<{ group: string }[]>(EVER_SAID);
    if (found.length > MOST_SAID)
      throw new TooMuchToFold(MOST_SAID, 'groups of failures', { that: 'of which something was said' });
    const groups = found.map(({ group }) => group);
    const histories = await this.past.historiesAt(groups.map(failureGroupStream), moment.position);
    return new Map(groups.map((group, at) => [group, saidIn(histories[at]!)]));
  }
}

function byGroup(rows: readonly FailuresRow[]): ReadonlyMap<string, readonly FailuresRow[]> {
  const groups = new Map<string, FailuresRow[]>();
  for (const row of rows) {
    const known = groups.get(row.group_id);
    if (known) known.push(row);
    else groups.set(row.group_id, [row]);
  }
  return groups;
}

function groupOf(group: string, rows: readonly FailuresRow[], said: SaidThen): GroupRow {
  const sum = (column: 'attempts' | 'tasks'): number => rows.reduce((total, row) => total + row[column], 0);
  const newest = rows.reduce((one, row) => (BigInt(row.last_position) > BigInt(one.last_position) ? row : one));
  return {
    group,
    class: newest.class,
    attempts: sum('attempts'),
    tasks: sum('tasks'),
    failedNow: null, // the events by which tasks stop to be failed do not say of which group
    firstSeenAt: new Date(rows.map((row) => row.first_at).sort()[0]!),
    lastSeenAt: new Date(
      rows
        .map((row) => row.last_at)
        .sort()
        .at(-1)!,
    ),
    queues: rows.map(({ queue }) => queue).sort(),
    lastTask: newest.last_task,
    position: newest.last_position,
    ...said,
  };
}

interface SaidRow {
  readonly said_state?: FailureGroupStatus;
  readonly said?: SaidThen['said'];
  readonly repair?: SaidThen['repair'];
  readonly returned?: SaidThen['returned'];
}

/** By the rules that make the row of now. */
function saidIn(history: readonly Recorded[]): SaidThen {
  let [row, returns]: [SaidRow, number] = [{}, 0];
  for (const recorded of history)
    for (const change of ruleFor(failureGroups, recorded.event)?.(recorded) ?? []) {
      if (change.kind !== 'increment') continue;
      row = { ...row, ...(change.latest as SaidRow) };
      returns += change.add?.['returns'] ?? 0;
    }
  const { said_state: state = 'open', said = null, repair = null, returned = null } = row;
  return { state, returns, said, repair, returned };
}
