import type { ToldBatch } from './told-batch.js';
import { isOver, type ToldTask } from './told-task.js';

/** What the tasks of a queue wait for: other tasks, and the batch. */
export class ToldGraph {
  constructor(
    private readonly tasks: readonly ToldTask[],
    private readonly batch: ToldBatch,
  ) {}

  isBlocked(task: ToldTask): boolean {
    return task.isStaged || this.openNeeds(task).length > 0;
  }

  openNeeds({ needs }: ToldTask): readonly string[] {
    return [...needs].filter(([id, ignore]) => !this.isDone(id, ignore)).map(([id]) => id);
  }

  /** The unfinished tasks that wait for it. */
  awaiting(id: string): readonly ToldTask[] {
    return this.tasks.filter((task) => !isOver(task) && this.openNeeds(task).includes(id));
  }

  /** The unfinished tasks that can never run, because what they wait for was aborted. */
  get doomed(): readonly ToldTask[] {
    return this.tasks.filter(
      (task) => !isOver(task) && this.openNeeds(task).some((id) => this.statusOf(id) === 'aborted'),
    );
  }

  waitsForItself(task: ToldTask): boolean {
    const seen = new Set(this.openNeeds(task));
    for (const id of seen) for (const next of this.needsOf(id)) seen.add(next);
    return seen.has(task.id);
  }

  private needsOf(id: string): readonly string[] {
    if (id === this.batch.id) return this.batch.members.filter((task) => !isOver(task)).map((task) => task.id);
    return this.openNeeds(this.tasks.find((task) => task.id === id)!);
  }

  private isDone(id: string, ignore: boolean): boolean {
    const status = this.statusOf(id);
    return ['succeeded', 'completed', 'deleted'].includes(status) || (ignore && status === 'aborted');
  }

  private statusOf(id: string): string {
    return id === this.batch.id ? this.batch.status : this.tasks.find((task) => task.id === id)!.status;
  }
}
