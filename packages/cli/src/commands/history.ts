import type { EventView, HistoryFilter, Waybill } from '@waybill/client';
import { jsonLine } from '@waybill/client/words';
import type { Command } from 'commander';
import { atLeastOne, first } from '../arguments.js';
import { type AsOfOption, asOfOption, everyAsOf } from '../as-of.js';
import { day } from '../day.js';
import type { Open } from '../session.js';
import { nothingMatches } from '../terminal/nothing-matches.js';
import { eventLine } from '../terminal/timeline.js';

type Kind = 'queue' | 'batch' | 'trigger' | 'hold' | 'resource' | 'system';

interface Options extends AsOfOption {
  readonly actor?: string;
  readonly type?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
}

/** Adds the command that shows what happened to one thing. Of the system there is only one, so it has no name. */
export function addHistory(of: Command, kind: Kind, open: Open): void {
  const history = of
    .command('history')
    .description(`show everything that happened to ${kind === 'system' ? 'the system' : `a ${kind}`}`)
    .option('--actor <name>', 'only events that this actor caused')
    .option('--type <name>', "only events of this type, such as 'QueuePaused'")
    .option('--since <time>', "from this time on: a time, 'today', 'yesterday', or how long ago, such as '24h'", day)
    .option('--until <time>', 'up to this time', day)
    .option('--limit <n>', 'show at most n events, the oldest first', atLeastOne, 1_000)
    .addOption(asOfOption());
  if (kind === 'system')
    history.action(async (options: Options, command: Command) => tell('drain', kind, options, command, open));
  else
    history
      .argument(kind === 'batch' ? '<id>' : `<${kind}>`)
      .action(async (name: string, options: Options, command: Command) => tell(name, kind, options, command, open));
}

async function tell(name: string, kind: Kind, options: Options, command: Command, open: Open): Promise<void> {
  const { waybill, printer } = open(command);
  const { limit, asOf, actor, type, since, until } = options;
  const filter = { actor, type, since, until };
  const all =
    asOf === undefined
      ? NOW[kind](waybill, name, filter)
      : everyAsOf((cursor) => THEN[kind](waybill.asOf(asOf), name, { ...filter, cursor }), printer);
  const { items, more } = await first<EventView>(all, limit);
  for (const event of items) await printer.line(printer.json ? jsonLine(event) : eventLine(event, printer.paint));
  if (items.length === 0 && !printer.json) printer.note(nothingMatches('event', filter));
  if (more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
}

const NOW: Readonly<Record<Kind, (waybill: Waybill, name: string, filter: HistoryFilter) => AsyncIterable<EventView>>> =
  {
    queue: (waybill, name, filter) => waybill.queue(name).history(filter),
    batch: (waybill, id, filter) => waybill.batch(id).history(filter),
    trigger: (waybill, name, filter) => waybill.trigger(name).history(filter),
    hold: (waybill, name, filter) => waybill.holds.history(name, filter),
    resource: (waybill, name, filter) => waybill.resources.history(name, filter),
    system: (waybill, _, filter) => waybill.system.history(filter),
  };

type Past = ReturnType<Waybill['asOf']>;
type PastFilter = HistoryFilter & { readonly cursor: string | undefined };
type PastPage = ReturnType<ReturnType<Past['queue']>['historyPage']>;

const THEN: Readonly<Record<Kind, (past: Past, name: string, filter: PastFilter) => PastPage>> = {
  queue: (past, name, filter) => past.queue(name).historyPage(filter),
  batch: (past, id, filter) => past.batch(id).historyPage(filter),
  trigger: (past, name, filter) => past.trigger(name).historyPage(filter),
  hold: (past, name, filter) => past.holds.historyPage(name, filter),
  resource: (past, name, filter) => past.resources.historyPage(name, filter),
  system: (past, _, filter) => past.system.historyPage(filter),
};
