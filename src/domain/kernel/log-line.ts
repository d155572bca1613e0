import type { Json } from './json.js';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** What a handler said while it ran a task. */
export interface LogLine {
  /** From 1 in each attempt, so that a line that is sent twice is kept once. */
  readonly number: number;
  /** By the clock of the worker. */
  readonly at: string;
  readonly level: LogLevel;
  readonly text: string;
  readonly fields?: Readonly<Record<string, Json>> | undefined;
}

/** How many lines of a task are kept: the last ones. */
export const LINES_OF_TASK = 1_000;
