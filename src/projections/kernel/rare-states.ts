import type { TaskStatus } from '../../domain/task/task.events.js';

/** The states of a plain life, and of one that fails. Tasks in the others are listed by an index of their own. */
const USUAL: readonly TaskStatus[] = ['pending', 'running', 'succeeded', 'failed'];

export const isRare = (state: TaskStatus): boolean => !USUAL.includes(state);
