import { isOver, type ToldTask } from './told-task.js';

type Data = Readonly<Record<string, unknown>>;

/** The batch of a queue according to its events. Its tasks are those of the queue that name it. */
export class ToldBatch {
  status: 'planning' | 'running' | 'completed' | 'failed' | 'aborted' | 'deleted' = 'planning';

  constructor(
    readonly id: string,
    private readonly tasks: readonly ToldTask[],
  ) {}

  get members(): readonly ToldTask[] {
    return this.tasks.filter(({ isMember }) => isMember);
  }

  /** Whether a task of it that is placed now must wait. */
  get keepsBack(): boolean {
    return ['planning', 'aborted', 'deleted'].includes(this.status);
  }

  get takesIn(): boolean {
    return this.status === 'planning' || this.status === 'running';
  }

  get counts(): Data {
    const count = (wanted: string): number => this.members.filter(({ status }) => status === wanted).length;
    return {
      total: this.members.length,
      succeeded: count('succeeded'),
      failed: count('failed'),
      aborted: count('aborted'),
      deleted: count('deleted'),
    };
  }

  /** Whether the sweeper has work with it or its tasks. */
  get isUnsettled(): boolean {
    if (this.status === 'running') return this.members.every((task) => isOver(task) || task.status === 'failed');
    if (this.status === 'aborted') return !this.members.every(isOver);
    return this.status === 'deleted' && !this.members.every(({ status }) => ['succeeded', 'deleted'].includes(status));
  }

  /** Applies an event. Returns the rules that do not hold afterwards. */
  take(type: string, data: Data): string[] {
    const status = BECOMES[type];
    if (!status) return [];
    this.status = status;
    if (type === 'BatchOpened') return this.opened(data);
    return 'counts' in data ? this.ended(data) : [];
  }

  private opened({ tasks }: Data): string[] {
    for (const task of this.members) task.isStaged = false;
    return tasks === this.members.length
      ? []
      : [`a batch of ${this.members.length} is opened as one of ${tasks as number}`];
  }

  private ended({ counts }: Data): string[] {
    const [told, true_] = [counts, this.counts].map((of) => JSON.stringify(sorted(of as Data)));
    return told === true_ ? [] : [`a batch ends with ${told}, but its tasks are ${true_}`];
  }
}

const sorted = (data: Data): Data => Object.fromEntries(Object.entries(data).sort());

const BECOMES: Readonly<Record<string, ToldBatch['status']>> = {
  BatchOpened: 'running',
  BatchCompleted: 'completed',
  BatchFailed: 'failed',
  BatchAborted: 'aborted',
  BatchDeleted: 'deleted',
};
