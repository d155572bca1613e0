import type { EventOptions } from '@waybill/client';
import { jsonLine } from '@waybill/client/words';
import type { Command } from 'commander';
import { atLeastOne, since } from '../arguments.js';
import type { Open } from '../session.js';
import { nothingMatches } from '../terminal/nothing-matches.js';
import { eventLine } from '../terminal/timeline.js';

interface Options extends Pick<
  EventOptions,
  'queue' | 'type' | 'category' | 'name' | 'actor' | 'policyVersion' | 'task' | 'after' | 'since' | 'until' | 'limit'
> {
  readonly follow?: true;
}

export function addEventsCommand(program: Command, open: Open): void {
  program
    .command('events')
    .description('show recorded events, in commit order')
    .option('--queue <name>', 'only events of this queue and its tasks')
    .option('--type <name>', "only events of this type, such as 'TaskFailed'")
    .option(
      '--category <name>',
      "only events of this category, such as 'task', 'queue', 'consumer', 'attendance' or 'build'",
    )
    .option('--name <name>', 'only events of the batch, hold, resource or trigger of this name; with --category')
    .option('--actor <name>', 'only events that this actor caused')
    .option('--policy-version <n>', "only events that were decided by this version of the queue's policy", atLeastOne)
    .option('--task <id>', 'only events of this task')
    .option('--since <time>', "start at this time, or this long ago, such as '10m' (s, m, h or d)", since)
    .option('--until <time>', 'end at this time, or this long ago; not with --follow', since)
    .option('--after <position>', 'start after this position')
    .option('--limit <n>', 'show at most n events; not with --follow', atLeastOne)
    .option('-f, --follow', 'keep showing new events, from now or from --since or --after, until Ctrl-C')
    .action(async (options: Options, command: Command) => {
      const { waybill, printer } = open(command);
      const { queue, type, category, name, actor, policyVersion, task, after, until, limit, follow } = options;
      const { since = nowIf(options) } = options;
      const filter = { queue, type, category, name, actor, policyVersion, task };
      let isAny = false;
      for await (const event of waybill.events({ ...filter, after, since, until, limit, follow })) {
        isAny = true;
        await printer.line(printer.json ? jsonLine(event) : eventLine(event, printer.paint));
      }
      if (!isAny && !printer.json) printer.note(nothingMatches('event', filter));
    });
}

/** A follower wants to see new events, and the whole history would come first. */
const nowIf = ({ follow, after }: Options): string | undefined => (follow && after === undefined ? 'now' : undefined);
