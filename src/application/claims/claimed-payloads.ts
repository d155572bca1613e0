import { Injectable } from '@nestjs/common';
import { outsidePayloadIn } from '../../domain/task/outside-payload.js';
import { Refused } from '../kernel/application-error.js';
import type { CommandContext } from '../kernel/command-context.js';
import { OutsidePayloads, someAtOnce } from '../kernel/outside-payloads.js';
import type { ClaimedTask } from './claim-source.port.js';
import { SettleTasks, SettleTasksHandler, type Verdict } from './settle-tasks.handler.js';

/** A store that is away for moments must not use up the attempts of tasks. */
const AGAIN_MS = 10_000;

/** Gives claimed tasks the payloads that are stored outside the log. */
@Injectable()
export class ClaimedPayloads {
  constructor(
    private readonly payloads: OutsidePayloads,
    private readonly settling: SettleTasksHandler,
  ) {}

  /** Leaves out tasks whose payload cannot be read: what that means for their attempts is recorded. */
  async givenTo(tasks: readonly ClaimedTask[], context: CommandContext): Promise<readonly ClaimedTask[]> {
    if (!tasks.some(isIncomplete)) return tasks;
    const given = await someAtOnce(tasks, (task) => this.whole(task, context));
    return given.filter((task) => task !== null);
  }

  private async whole(task: ClaimedTask, context: CommandContext): Promise<ClaimedTask | null> {
    try {
      const payload = await this.payloads.read(task.taskId, task.payload);
      return { ...task, payload, ...(task.items && { items: await this.givenTo(task.items, context) }) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const item = { taskId: task.taskId, token: task.token, verdict: verdictOn(error) };
      await this.settling.execute(new SettleTasks([item], context));
      return null;
    }
  }
}

const isIncomplete = ({ payload, items = [] }: ClaimedTask): boolean =>
  outsidePayloadIn(payload) !== null || items.some(isIncomplete);

/** Another attempt would not find a payload that is gone. */
function verdictOn({ rejection }: Refused): Verdict {
  if (rejection.code === 'PAYLOAD_STORE_UNAVAILABLE') return { type: 'return', afterMs: AGAIN_MS, unstarted: true };
  const said = rejection.code === 'PAYLOAD_MISSING' ? 'it is not there' : 'it has been changed';
  const message = `${rejection.code}: Expected the payload in the payload store as it was submitted, but ${said}`;
  return { type: 'fail', error: { message, class: 'application', details: { ...rejection } }, final: true };
}
