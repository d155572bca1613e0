/** One part of a task's work: `position` moves from `start` to `end`. */
export interface ProgressBar {
  readonly title: string;
  readonly start: number;
  readonly end: number;
  readonly position: number;
}
