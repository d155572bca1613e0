import { ConflictException, Inject, Injectable } from '@nestjs/common';
import { type SettleItem, type SettleVerdict, type TaskHandle, type Waybill, WaybillError } from '@waybill/client';
import { WAYBILL } from './queue-finder.js';
import type { ItemChange, RobotReport, Status } from './requests.js';

/** The member of the item's data that has its sub-status. */
export const SUB_STATUS = 'sub_status';

type Move = (task: TaskHandle, change: ItemChange) => Promise<unknown>;

const remove: Move = (task) => task.delete();
const SET_BY_HAND = 'An administrator set the status.';

/** What an administrator may do to an item, by its status and the new one. Only a robot's claim makes it IN_PROGRESS. */
const MOVES: { readonly [From in Status]: { readonly [To in Status]?: Move } } = {
  NEW: { DELETED: remove },
  IN_PROGRESS: {
    NEW: (task) => task.overrule('requeue', SET_BY_HAND),
    DONE: (task) => task.overrule('succeed', SET_BY_HAND),
    FAILED: (task, { error_message }) => task.overrule('fail', error_message ?? SET_BY_HAND),
    DELETED: (task) => task.delete({ force: true }),
  },
  FAILED: { NEW: (task) => task.retry(), DELETED: remove },
  DONE: { DELETED: remove },
  DELETED: {},
};

@Injectable()
export class StatusChanges {
  constructor(@Inject(WAYBILL) private readonly waybill: Waybill) {}

  /** An administrator's change. It overrules a robot that has the item, whose later report is refused. */
  async byAdministrator(id: string, change: ItemChange): Promise<void> {
    const task = this.waybill.task(id);
    const from = (await task.get()).stateName as Status;
    const move = MOVES[from][change.status];
    if (!move && from !== change.status)
      throw new ConflictException(unexpected(change.status, Object.keys(MOVES[from]), from));
    if (change.sub_status !== undefined) await task.annotate({ [SUB_STATUS]: change.sub_status });
    await move?.(task, change);
  }

  /** The report of the robot that has the item. */
  async byRobot(taskId: string, report: RobotReport): Promise<void> {
    const { status, token, sub_status } = report;
    const verdict = verdictOf(report);
    if (!verdict && (status !== 'IN_PROGRESS' || sub_status === undefined))
      throw new ConflictException(unexpected(status, ['DONE', 'FAILED', 'NEW'], 'IN_PROGRESS'));
    if (sub_status !== undefined)
      await this.settle({ taskId, token, verdict: { type: 'record', data: { [SUB_STATUS]: sub_status } } });
    if (verdict) await this.settle({ taskId, token, verdict });
  }

  private async settle(item: SettleItem): Promise<void> {
    const [settled] = await this.waybill.settle([item]);
    if (settled && 'problem' in settled) throw new WaybillError(settled.problem);
  }
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
