import { BadRequestException, ConflictException, Inject, Injectable } from '@nestjs/common';
import { type SettleItem, type SettleVerdict, type TaskHandle, type Waybill, WaybillError } from '@waybill/client';
import { WAYBILL } from './queue-finder.js';
import type { ItemChange, RobotReport, Status } from './requests.js';

/** The member of the item's data that has its sub-status. */
export const SUB_STATUS = 'sub_status';

/** The members that have what was set beside the report of an attempt. A later report with the same field replaces it. */
export const NOTED = { result: 'result', error_message: 'error_message' } as const;
type Field = keyof typeof NOTED;
const FIELDS = Object.keys(NOTED) as Field[];

type Move = (task: TaskHandle, change: ItemChange) => Promise<unknown>;

const remove: Move = (task) => task.delete();
const SET_BY_HAND = 'An administrator set the status.';
const LONGEST_REASON = 1_024;

/** As much of the message as a reason may have: not blank, and cut at no half of a character. */
const reasonOf = (message: string | undefined): string =>
  message?.trim() ? message.slice(0, LONGEST_REASON).replace(/[\ud800-\udbff]$/, '') : SET_BY_HAND;

/** Whether the overruling records all of the message. */
const isReason = (message: string | undefined): boolean => reasonOf(message) === message;

/** What an administrator may do to an item, by its status and the new one. Only a robot's claim makes it IN_PROGRESS. */
const MOVES: { readonly [From in Status]: { readonly [To in Status]?: Move } } = {
  NEW: { DELETED: remove },
  IN_PROGRESS: {
    NEW: (task) => task.overrule('requeue', SET_BY_HAND),
    DONE: (task, { result }) => task.overrule('succeed', SET_BY_HAND, { result }),
    FAILED: (task, { error_message, result }) => task.overrule('fail', reasonOf(error_message), { result }),
    DELETED: (task) => task.delete({ force: true }),
  },
  FAILED: { NEW: (task) => task.retry(), DELETED: remove },
  DONE: { DELETED: remove },
  DELETED: {},
};

/** What the end of an attempt records itself. */
const REPORTED: { readonly [To in Status]?: readonly Field[] } = { DONE: ['result'], FAILED: FIELDS };

@Injectable()
export class StatusChanges {
  constructor(@Inject(WAYBILL) private readonly waybill: Waybill) {}

  /** An administrator's change. It overrules a robot that has the item, whose later report is refused. */
  async byAdministrator(id: string, change: ItemChange): Promise<void> {
    assertChanges(change);
    const task = this.waybill.task(id);
    const { stateName, data } = await task.get();
    const from = stateName as Status;
    const { status = from } = change;
    const move = MOVES[from][status];
    if (!move && from !== status) throw new ConflictException(unexpected(status, Object.keys(MOVES[from]), from));
    const reported = from === 'IN_PROGRESS' && move ? (REPORTED[status] ?? []) : [];
    const note = noteOf(
      change,
      reported.filter((field) => field !== 'error_message' || isReason(change.error_message)),
      data,
    );
    if (note) await task.annotate(note);
    await move?.(task, change);
  }

  /** The report of the robot that has the item. */
  async byRobot(taskId: string, report: RobotReport): Promise<void> {
    assertChanges(report);
    const { status = 'IN_PROGRESS', token } = report;
    const verdict = verdictOf(report);
    const { data } = await this.waybill.task(taskId).get();
    const note = noteOf(report, REPORTED[status] ?? [], data);
    if (!verdict && (status !== 'IN_PROGRESS' || !note))
      throw new ConflictException(unexpected(status, ['DONE', 'FAILED', 'NEW'], 'IN_PROGRESS'));
    if (note) await this.settle({ taskId, token, verdict: { type: 'record', data: note } });
    if (verdict) await this.settle({ taskId, token, verdict });
  }

  private async settle(item: SettleItem): Promise<void> {
    const [settled] = await this.waybill.settle([item]);
    if (settled && 'problem' in settled) throw new WaybillError(settled.problem);
  }
}

function assertChanges({ status, result, error_message, sub_status }: ItemChange): void {
  if ([status, result, error_message, sub_status].some((given) => given !== undefined)) return;
  throw new BadRequestException('Expected a status, result, error_message or sub_status, but got none of them');
}

/** What the item's data must say: what the attempt does not report itself. What it does report is no longer set beside it. */
function noteOf(
  change: ItemChange,
  reported: readonly Field[],
  data: Readonly<Record<string, unknown>>,
): Record<string, unknown> | null {
  const { sub_status } = change;
  const note: Record<string, unknown> = sub_status === undefined ? {} : { [SUB_STATUS]: sub_status };
  for (const field of FIELDS) {
    if (change[field] === undefined) continue;
    if (!reported.includes(field)) note[NOTED[field]] = change[field];
    else if (NOTED[field] in data) note[NOTED[field]] = null;
  }
  return Object.keys(note).length === 0 ? null : note;
}

const unexpected = (to: Status, possible: readonly string[], from: Status): string =>
  `Expected a status that can follow ${from} (${possible.join(', ') || 'none'}), but got ${to}`;

function verdictOf({ status, result, error_message: message }: RobotReport): SettleVerdict | null {
  const given = result === undefined ? {} : { result };
  if (status === 'DONE') return { type: 'succeed', ...given };
  if (status === 'NEW') return { type: 'return' };
  if (status !== 'FAILED') return null;
  const details = result === undefined ? {} : { details: result };
  return { type: 'fail', error: { message: message ?? 'The robot gave no reason.', ...details } };
}
