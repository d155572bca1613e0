import {
  type BatchDetails,
  type BatchHandle,
  type BatchReport,
  type BatchView,
  OPERATIONS,
  type Receipt,
} from '@waybill/client';
import { age, count, openTasks } from '@waybill/client/words';
import type { Command } from 'commander';
import { atLeastOne, first, labels, someOf, whole } from '../arguments.js';
import { type AsOfOption, asOfOption, everyAsOf, tellMoment } from '../as-of.js';
import { ownOptionsOf } from '../common-options.js';
import { reasonOption } from '../reason-option.js';
import type { Open } from '../session.js';
import { linesOfGraph } from '../terminal/graph.js';
import { nothingMatches } from '../terminal/nothing-matches.js';
import { type Column, fields } from '../terminal/table.js';
import { addHistory } from './history.js';
import { tell } from './receipt.js';

const STATES = ['planning', 'running', 'completed', 'failed', 'reporting', 'aborted', 'deleted'] as const;

export function addBatchCommands(program: Command, open: Open): void {
  addList(program, open);
  const batch = program.command('batch').description("inspect and control a batch; 'waybill batches' lists all");
  batch
    .command('show <id>')
    .description('show a batch with the counts of its tasks')
    .addOption(asOfOption())
    .action(async (id: string, { asOf }: AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const view = await (asOf === undefined ? waybill : waybill.asOf(asOf)).batch(id).get();
      tellMoment(view.asOf, printer);
      await printer.show(view, (paint) => fields(shown(view), paint));
    });
  batch
    .command('graph <id>')
    .description('show what the tasks of a batch wait for')
    .addOption(asOfOption())
    .action(async (id: string, { asOf }: AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const graph = await (asOf === undefined ? waybill : waybill.asOf(asOf)).batch(id).graph();
      tellMoment(graph.asOf, printer);
      await printer.show(graph, (paint) => linesOfGraph(graph, paint));
    });
  addReports(batch, open);
  addHistory(batch, 'batch', open);
  addCreate(batch, open);
  addSteps(batch, open);
}

interface ListOptions extends AsOfOption {
  readonly state?: string;
  readonly limit: number;
}

function addList(program: Command, open: Open): void {
  program
    .command('batches [search...]')
    .description('list the batches that match the search, the newest first')
    .option(
      '--state <state>',
      `only batches in this state, or in one of several: ${STATES.join(', ')}`,
      someOf(...STATES),
    )
    .option('--limit <n>', 'show at most n batches', atLeastOne, 100)
    .addOption(asOfOption())
    .action(async (search: readonly string[], { state, limit, asOf }: ListOptions, command: Command) => {
      const { waybill, printer } = open(command);
      const q = [...search, ...(state === undefined ? [] : [`state:${state}`])].join(' ') || undefined;
      const all =
        asOf === undefined
          ? waybill.batches({ q })
          : everyAsOf((cursor) => waybill.asOf(asOf).batchPage({ q, cursor }), printer);
      const { items, more } = await first(all, limit);
      const none = nothingMatches('batch', { search: q }, 'waybill batch create');
      await printer.list(items, COLUMNS, none);
      if (more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
    });
}

function addReports(batch: Command, open: Open): void {
  batch
    .command('reports <id>')
    .description('list what a batch has reported, the newest first, and whether that was delivered')
    .option('--limit <n>', 'show at most n reports', atLeastOne, 100)
    .addOption(asOfOption())
    .action(async (id: string, { limit, asOf }: { readonly limit: number } & AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      const all =
        asOf === undefined
          ? waybill.batch(id).reports()
          : everyAsOf((cursor) => waybill.asOf(asOf).batch(id).reportPage({ cursor }), printer);
      const { items, more } = await first(all, limit);
      await printer.list(
        items,
        REPORTS,
        'The batch has reported nothing yet: it reports when all its tasks have ended.',
      );
      if (more) printer.note(`There are more than ${limit}. Use --limit to show more.`);
    });
  batch
    .command('rerun <id>')
    .description('run the failed tasks of a batch again, in a batch of their own')
    .addOption(reasonOption())
    .action(async (id: string, { reason }: { readonly reason?: string }, command: Command) => {
      const { waybill, printer } = open(command);
      const rerun = await waybill.batch(id).rerun({ reason });
      await printer.show({ id: rerun.id }, (paint) => [`${paint.green('✓')} ${rerun.id}`]);
    });
}

const REPORTS: readonly Column<BatchReport>[] = [
  { title: 'number', of: ({ number }) => count(number), right: true },
  { title: 'at', of: ({ at }) => at },
  { title: 'about', of: ({ about, changes }) => (about === 'task' ? nameIn(changes) : about) },
  { title: 'changes', of: ({ changes, more }) => count(changes.length + more), right: true },
  { title: 'not complete', of: ({ incomplete }) => count(incomplete.length), right: true },
  {
    title: 'delivered',
    of: ({ deliveries }) => deliveries.map(({ kind, state }) => `${kind} ${state ?? 'soon'}`).join(' '),
  },
];

const nameIn = ([change]: BatchReport['changes']): string => change?.name ?? change?.task ?? '';

interface CreateOptions {
  readonly id?: string;
  readonly description?: string;
  readonly label?: Record<string, string>;
  readonly reason?: string;
  readonly quiet?: true;
}

function addCreate(batch: Command, open: Open): void {
  batch
    .command('create <name>')
    .description("create a batch; its tasks, of 'waybill enqueue --batch', wait until it is opened")
    .option('--id <id>', 'a UUID; generated if absent')
    .option('--description <text>', 'what the batch is for')
    .option('--label <name=value>', 'a label; can be repeated', labels)
    .option('-q, --quiet', 'print only the id')
    .addOption(reasonOption())
    .action(async (name: string, { id, description, label, reason, quiet }: CreateOptions, command: Command) => {
      const { waybill, printer } = open(command);
      const plan = waybill.planBatch({
        name,
        ...(id !== undefined && { id }),
        ...(description !== undefined && { description }),
        ...(label && { labels: label }),
      });
      const created = await plan.create({ reason });
      await printer.show({ id: created.id }, (paint) => [quiet ? created.id : `${paint.green('✓')} ${created.id}`]);
    });
}

type Operation = 'openBatch' | 'releaseBatch' | 'requestReport' | 'abortBatch' | 'deleteBatch';

type Run = (batch: BatchHandle, options: { readonly reason?: string }) => Promise<Receipt>;

function addSteps(batch: Command, open: Open): void {
  const step = (usage: string, operation: Operation): Command => {
    const { summary } = OPERATIONS[operation];
    return batch
      .command(usage)
      .description(summary.charAt(0).toLowerCase() + summary.slice(1))
      .addOption(reasonOption());
  };
  const give = async (command: Command, id: string, run: Run): Promise<void> => {
    const { waybill, printer } = open(command);
    await tell(printer, await run(waybill.batch(id), ownOptionsOf(command)));
  };
  step('open <id>', 'openBatch')
    .argument('<tasks>', 'how many tasks the batch must have', whole)
    .action((id: string, tasks: number, _: object, command: Command) =>
      give(command, id, (one, options) => one.open(tasks, options)),
    );
  step('release <id>', 'releaseBatch').action((id: string, _: object, command: Command) =>
    give(command, id, (one, options) => one.release(options)),
  );
  step('report <id>', 'requestReport').action((id: string, _: object, command: Command) =>
    give(command, id, (one, options) => one.report(options)),
  );
  step('abort <id>', 'abortBatch').action((id: string, _: object, command: Command) =>
    give(command, id, (one, options) => one.abort(options)),
  );
  step('delete <id>', 'deleteBatch').action((id: string, _: object, command: Command) =>
    give(command, id, (one, options) => one.delete(options)),
  );
}

const COLUMNS: readonly Column<BatchView>[] = [
  { title: 'id', of: ({ id }) => id, as: 'id' },
  { title: 'name', of: ({ name }) => name },
  { title: 'state', of: ({ stateName }) => stateName, as: 'state' },
  { title: 'tasks', of: ({ total }) => count(total), right: true },
  { title: 'open', of: ({ open }) => count(open), right: true },
  { title: 'succeeded', of: ({ succeeded }) => count(succeeded), right: true },
  { title: 'failed', of: ({ failed }) => count(failed), right: true },
  { title: 'age', of: ({ createdAt }) => age(Date.now() - Date.parse(createdAt)), drop: 2 },
];

function shown(view: BatchDetails): readonly (readonly [string, unknown])[] {
  const labels = Object.entries(view.labels).map(([name, value]) => `${name}=${value}`);
  return [
    ['batch', view.id],
    ['name', view.name],
    ['description', view.description],
    ['labels', labels.join(' ')],
    ['state', view.stateName],
    ['planner', view.planner && `${view.planner} (${view.plannerState})`],
    ['error', view.error],
    ['reports', `${count(view.reports)}, reruns: ${view.reRunReporting}`],
    ['run again by', view.rerun],
    ['runs again', view.rerunOf],
    ['created', view.createdAt],
    ['ended', view.endedAt],
    ['tasks', count(view.total)],
    ['open', count(view.open)],
    ...view.openTasks.map((open) => ['', openTasks(open)] as const),
    ['succeeded', count(view.succeeded)],
    ['failed', count(view.failed)],
    ['aborted', count(view.aborted)],
    ['deleted', count(view.deleted)],
  ];
}
