import type { OperationId } from '@waybill/contracts';

/** When a planner kills itself: before it sends a request, or with the answer. */
export interface PlannerCrash {
  readonly when: 'before' | 'after';
  readonly operation: OperationId;
  /** The number of the request, from 1. */
  readonly passage: number;
}

const crash = (when: PlannerCrash['when'], operation: OperationId, passage = 1): PlannerCrash => ({
  when,
  operation,
  passage,
});

/** Every window of a planner that adds its tasks with two requests, in the order in which one attempt passes them. */
export const PLANNER_CRASHES: readonly PlannerCrash[] = [
  crash('after', 'claimTasks'),
  crash('before', 'enqueueTasks'),
  crash('after', 'enqueueTasks'),
  crash('before', 'enqueueTasks', 2),
  crash('after', 'enqueueTasks', 2),
  crash('before', 'openBatch'),
  crash('after', 'openBatch'),
  crash('before', 'settleTasks'),
  crash('after', 'settleTasks'),
];

export const textOf = ({ when, operation, passage }: PlannerCrash): string => `${when} ${operation} ${passage}`;

/** Parses what `textOf` wrote. */
export function parsePlannerCrash(text: string): PlannerCrash {
  const known = PLANNER_CRASHES.find((one) => textOf(one) === text);
  if (known) return known;
  throw new Error(`Expected a crash such as 'after enqueueTasks 2', but got '${text}'`);
}

/** The last line that the process prints. */
export const lastWordsOf = (one: PlannerCrash): string => `killed ${textOf(one)}`;
