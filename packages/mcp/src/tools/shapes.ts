import { z } from 'zod';

/** Of a list. The answer names the cursor of what follows. */
export const PAGE = {
  limit: z.number().int().min(1).max(50).default(20).describe('how many, at most'),
  cursor: z.string().optional().describe("the answer's nextCursor, to go on"),
};

export const AS_OF = z
  .string()
  .optional()
  .describe('the past moment to look at: a time, a position of the log, or how long ago, such as 10m');

export const QUEUE = z.string().min(1).describe('the name of a queue');
export const TASK = z.string().min(1).describe('the id of a task');
export const REASON = z.string().min(1).max(500).describe('why, for the history: people will read it');

/** Which tasks an operation concerns. */
export const FILTER = z
  .object({
    q: z.string().optional().describe('a search, such as: state:failed error:"timed out" since:2h'),
    queue: z.string().optional(),
    state: z.string().optional(),
    group: z.string().optional().describe('the id of a failure group'),
    batch: z.string().optional(),
    kind: z.string().optional(),
  })
  .describe('all tasks that match');

export const COMMANDS = ['retry', 'cancel', 'abort', 'hold', 'release', 'prioritise', 'delete'] as const;

export const LOOKS = { readOnlyHint: true, openWorldHint: false } as const;
export const ACTS = { readOnlyHint: false, destructiveHint: true, openWorldHint: false } as const;
