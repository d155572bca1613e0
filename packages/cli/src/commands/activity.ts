import type { ActivityItem, ActivityOptions } from '@waybill/client';
import { count } from '@waybill/client/words';
import type { Command } from 'commander';
import { atLeastOne, first } from '../arguments.js';
import { day } from '../day.js';
import type { Open } from '../session.js';
import { nothingMatches } from '../terminal/nothing-matches.js';
import type { Column } from '../terminal/table.js';

type Options = Pick<ActivityOptions, 'actor' | 'category' | 'type' | 'queue' | 'policyVersion'> & {
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
  readonly oldestFirst?: true;
};

export function addActivityCommand(program: Command, open: Open): void {
  program
    .command('activity')
    .description('show what people did, the newest first: definitions, pauses, holds, retries, operations and so on')
    .option('--since <time>', "from this time on: a time, 'today', 'yesterday', or how long ago, such as '24h'", day)
    .option('--until <time>', 'up to this time', day)
    .option('--actor <name>', 'only what this actor did')
    .option('--category <name>', "only what was done to this kind of thing, such as 'queue', 'task' or 'hold'")
    .option('--type <name>', "only commands that caused this event, such as 'QueuePaused'")
    .option('--queue <name>', 'only what was done to this queue and its tasks')
    .option('--policy-version <n>', "only what was decided by this version of the queue's policy", atLeastOne)
    .option('--oldest-first', 'show the oldest first')
    .option('--limit <n>', 'show at most n commands', atLeastOne, 100)
    .action(async (options: Options, command: Command) => {
      const { waybill, printer } = open(command);
      const { limit, oldestFirst, since, until, actor, category, type, queue, policyVersion } = options;
      const filter = { since, until, actor, category, type, queue, policyVersion };
      const order = oldestFirst ? 'oldest' : 'newest';
      const { items, more } = await first(waybill.activity({ ...filter, order }), limit);
      await printer.list(items, COLUMNS, nothingMatches('command', filter));
      if (more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
    });
}

const COLUMNS: readonly Column<ActivityItem>[] = [
  { title: 'at', of: ({ at }) => at },
  { title: 'by', of: ({ by, agent }) => (agent === undefined ? by : `${by} (${agent})`) },
  { title: 'what', of: ({ type, count: events }) => (events > 1 ? `${type} × ${count(events)}` : type) },
  { title: 'subject', of: ({ category, subject }) => `${category} ${subject}` },
  { title: 'queue', of: ({ queue }) => queue, drop: 3 },
  { title: 'reason', of: ({ reason }) => reason, drop: 2 },
];
