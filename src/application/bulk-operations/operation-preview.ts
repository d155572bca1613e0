import type { TaskStatus } from '../../domain/task/task.events.js';
import type { Waiters } from './index-look.port.js';

/** What would become of a task: the states before and after the command, or why it would be refused. */
export type PreviewExample = { readonly task: string } & (
  | { readonly from: TaskStatus; readonly to: TaskStatus }
  | { readonly code: string }
);

export interface PreviewedMove {
  readonly from: TaskStatus;
  readonly to: TaskStatus;
  readonly count: number;
}

/** What a command for many tasks would come to, decided at a position and not recorded. */
export interface OperationPreview {
  readonly position: bigint;
  /** How many tasks were decided. */
  readonly decided: number;
  /** How many would have the command, also because they have it already. */
  readonly done: number;
  readonly moves: readonly PreviewedMove[];
  /** How many would refuse it, by the code of the refusal. */
  readonly refused: Readonly<Record<string, number>>;
  /** What an abort takes along or lets go, and of its undo what comes back with it; nothing with other commands. */
  readonly waiters: Waiters;
  /** How often each trigger would fire, by its name. */
  readonly triggers: Readonly<Record<string, number>>;
  /** The first tasks of each move and each refusal. */
  readonly examples: readonly PreviewExample[];
}

const MOST_EXAMPLES = 20;

/** Counts what would become of tasks. */
export class PreviewTally {
  private decided = 0;
  private done = 0;
  private along = 0;
  private readonly moves = new Map<string, PreviewedMove>();
  private readonly codes: Record<string, number> = {};
  private readonly fired: Record<string, number> = {};
  private readonly examples: PreviewExample[] = [];

  accept(task: string, from: TaskStatus, to: TaskStatus): void {
    this.decided++;
    this.done++;
    const move = `${from} ${to}`;
    this.moves.set(move, { from, to, count: (this.moves.get(move)?.count ?? 0) + 1 });
    this.show({ task, from, to });
  }

  refuse(task: string, code: string): void {
    this.decided++;
    this.codes[code] = (this.codes[code] ?? 0) + 1;
    this.show({ task, code });
  }

  /** Nothing would change, because the task is as wanted. */
  leave(): void {
    this.decided++;
    this.done++;
  }

  /** The task that was accepted last comes back with others. */
  takeAlong(): void {
    this.along++;
  }

  fire(trigger: string): void {
    this.fired[trigger] = (this.fired[trigger] ?? 0) + 1;
  }

  result(position: bigint, waiters: Waiters): OperationPreview {
    const { decided, done, codes: refused, fired: triggers, examples, along } = this;
    const counted = { ...waiters, aborted: waiters.aborted + along };
    return { position, decided, done, moves: [...this.moves.values()], refused, waiters: counted, triggers, examples };
  }

  private show(example: PreviewExample): void {
    if (this.examples.length < MOST_EXAMPLES) this.examples.push(example);
  }
}
