import type { OperationView } from '@waybill/client';
import { plural } from '../ui/numbers.js';

/** What is not a verb of tasks that people type. */
const TITLES: Readonly<Record<string, string>> = { runAgain: 'Run again', deleteQueue: 'Delete a queue with' };

/** What was ordered of how many tasks. */
export const titleOf = ({ command, expected }: Pick<OperationView, 'command' | 'expected'>): string =>
  `${TITLES[command] ?? command.charAt(0).toUpperCase() + command.slice(1)} ${plural(expected, 'task')}`;
