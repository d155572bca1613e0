/**
 * The most bytes of events or rows that one step reads or answers: a page of the log, the tasks of a claim, a round of
 * the outbox, a commit. The first item is always taken, so a step with a larger one consists of it alone. With twenty
 * such steps at once, and each value ten times its size in memory, a heap of 512 MB is not even half full.
 */
export const STEP_BYTES = 4 * 1024 * 1024;
