import { taskIdOf } from '../../domain/task/task.stream.js';
import type { TaskRecord } from '../appends.js';
import type { Rule, Seen, Tell } from '../rule.js';
import { violation } from '../violation.js';
import { endsClaim, tokenOf } from './attempts.js';

/** I3 and I4: the claims of the log as intervals of positions. */
export class Claims implements Rule {
  private readonly open = new Map<string, TaskRecord>();
  private readonly lastTokens = new Map<string, bigint>();

  take(append: readonly Seen[], tell: Tell): void {
    for (const { recorded, id } of append) {
      if (id === null) continue;
      if (recorded.event.type === 'TaskClaimed') this.begin(recorded, tell);
      else if (endsClaim(recorded.event)) this.endOne(recorded, tell);
    }
  }

  forget(_: string, stream: string): void {
    this.open.delete(stream);
    this.lastTokens.delete(stream);
  }

  private begin(claim: TaskRecord, tell: Tell): void {
    const { stream } = claim;
    const task = taskIdOf(stream);
    const before = this.open.get(stream);
    if (before) tell(violation('I3', `Expected one open claim of task '${task}', but there are two`, before, claim));
    const token = BigInt(tokenOf(claim)!);
    const last = this.lastTokens.get(stream) ?? -1n;
    if (token <= last) tell(violation('I3', `Expected task '${task}' to get a token above ${last}`, claim));
    this.open.set(stream, claim);
    this.lastTokens.set(stream, token);
  }

  private endOne(end: TaskRecord, tell: Tell): void {
    const { stream, event } = end;
    const claim = this.open.get(stream);
    const token = tokenOf(end);
    if (!claim || (token !== null && token !== tokenOf(claim))) {
      const says = `Expected '${event.type}' of task '${taskIdOf(stream)}' under its open claim, but it is under ${token}`;
      tell(violation('I4', says, claim, end));
      return;
    }
    this.open.delete(stream);
  }
}
