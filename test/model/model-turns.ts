import type { ModelTask } from './model-task.js';

/** How many turns the tasks that the hold selects have while the others have one. */
export const WEIGHT = 3;

/** The weight divides it, so that equal times are equal. */
const TURN = 60;

/** Whether the limits leave room for the task beside these. */
type Fits = (task: ModelTask, beside: readonly ModelTask[]) => boolean;

type Value = ModelTask['labelled'];

const lengthOf = (value: Value): number => (value ? TURN / WEIGHT : TURN);

/**
 * The turns of a queue with fair shares in the plainest form: the value with the earliest turn comes next, and its following turn begins when this one
 * ends. Who has waited for nothing has saved nothing.
 */
export class ModelTurns {
  /** When the next turn of each begins, if it has not passed. */
  private readonly next = new Map<Value, number>();
  private now = 0;

  /**
   * The tasks that have the next turns, of these in claim order, as long as `fits` says so of the next one of a value. Of turns at the same time any may come
   * first, so those of `given` do.
   */
  take(open: readonly ModelTask[], most: number, fits: Fits, given: readonly string[]): readonly ModelTask[] {
    const taken: ModelTask[] = [];
    for (;;) {
      const left = open.filter((task) => !taken.includes(task) && fits(task, taken));
      if (taken.length >= most || left.length === 0) return open.filter((task) => taken.includes(task));
      const first = Math.min(...left.map((task) => this.turnOf(task)));
      const heads = [true, false].flatMap((value) => left.find(({ labelled }) => labelled === value) ?? []);
      const tied = heads.filter((task) => this.turnOf(task) === first);
      const task = tied.find(({ id }) => given.includes(id)) ?? tied[0]!;
      this.count(task);
      taken.push(task);
    }
  }

  count(task: ModelTask): void {
    this.now = this.turnOf(task);
    this.next.set(task.labelled, this.now + lengthOf(task.labelled));
  }

  private turnOf({ labelled }: ModelTask): number {
    return Math.max(this.now, this.next.get(labelled) ?? 0);
  }
}
