import type { TaskFilter, TaskSelection } from '@waybill/client';
import { z } from 'zod';
import { answered } from '../answer.js';
import type { Tools } from './tools.js';
import { COMMANDS, FILTER, LOOKS, TASK } from './shapes.js';

export const WHICH = {
  command: z.enum(COMMANDS),
  tasks: z.array(TASK).min(1).max(500).optional().describe('the ids of the tasks, or give a filter'),
  filter: FILTER.optional(),
  priority: z.number().int().optional().describe('for prioritise only'),
};

/** Which tasks are meant: those named, or those that match. Never all. */
export function selectionOf({ tasks, filter }: { tasks?: string[]; filter?: z.infer<typeof FILTER> }): TaskSelection {
  const isFilter = filter !== undefined && Object.values(filter).some((value) => value !== undefined);
  if ((tasks === undefined) === !isFilter)
    throw new TypeError('Expected either tasks or a filter with at least one field, but got none or both');
  return tasks === undefined ? { filter: filter as TaskFilter } : { tasks };
}

export function addOperationTools({ server, waybill }: Tools): void {
  server.registerTool(
    'preview_operation',
    {
      title: 'Preview a command to many tasks',
      description:
        'What a command would do to the tasks: how many match, which would be refused and why. Changes nothing. Its position is the asPreviewed of operate.',
      inputSchema: WHICH,
      annotations: LOOKS,
    },
    ({ command, priority, ...which }) =>
      answered(() => waybill().operate(command, selectionOf(which), { preview: 'decided', priority })),
  );
  server.registerTool(
    'get_operation',
    {
      title: 'Show an operation',
      description: 'How far a command to many tasks is, what was refused, and what has become of the tasks since.',
      inputSchema: { id: z.string().min(1).describe('the id of the operation') },
      annotations: LOOKS,
    },
    ({ id }) => answered(() => waybill().operation(id)),
  );
  server.registerTool(
    'preview_undo',
    {
      title: 'Preview the undo of an operation',
      description: 'Which tasks an undo would give back what they were, and which have changed since. Changes nothing.',
      inputSchema: { operation: z.string().min(1).describe('the id of the operation') },
      annotations: LOOKS,
    },
    ({ operation }) => answered(() => waybill().undo(operation, { preview: true })),
  );
}
