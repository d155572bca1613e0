import { type DrainState, type SystemView } from '@waybill/client';
import { age, plural, tasksOf } from '@waybill/client/words';
import type { Command } from 'commander';
import { seconds } from '../arguments.js';
import { type AsOfOption, asOfOption, tellMoment } from '../as-of.js';
import { asNotDone } from '../not-drained.js';
import { reasonOption } from '../reason-option.js';
import type { Open } from '../session.js';
import { fields } from '../terminal/table.js';
import { addHistory } from './history.js';
import { tell } from './receipt.js';

interface DrainOptions {
  readonly cancel?: true;
  readonly keepIntake?: true;
  readonly wait?: number;
  readonly reason?: string;
}

export function addDrainCommands(program: Command, open: Open): void {
  const system = program
    .command('system')
    .description('show whether the system drains, and how many tasks run; as of a moment, only whether it drained')
    .addOption(asOfOption())
    .action(async ({ asOf }: AsOfOption, command: Command) => {
      const { waybill, printer } = open(command);
      if (asOf !== undefined) {
        const past = await waybill.asOf(asOf).system.getDrain();
        tellMoment(past.asOf, printer);
        return printer.show(past, (paint) => fields(shownDrain(past), paint));
      }
      const view = await waybill.system.get();
      await printer.show(view, (paint) => fields(shown(view), paint));
    });
  addHistory(system, 'system', open);
  program
    .command('drain')
    .description('give out no tasks and refuse new ones, such as before a deployment')
    .option('--cancel', 'ask all running tasks to stop; they can be resumed')
    .option('--keep-intake', 'still take new tasks')
    .option('--wait <seconds>', 'wait this long until nothing runs; exit with 1 if tasks still run then', seconds)
    .addOption(reasonOption())
    .action(async ({ cancel, keepIntake, wait, reason }: DrainOptions, command: Command) => {
      const { waybill, printer } = open(command);
      const [intake, running] = [keepIntake ? 'open' : 'closed', cancel ? 'cancel' : 'finish'] as const;
      await tell(printer, await waybill.system.drain({ intake, running, reason }));
      if (wait === undefined) return;
      await waybill.system.drained({ timeoutMs: wait * 1_000 }).catch(asNotDone);
      printer.note('Nothing runs any more.');
    });
  program
    .command('resume')
    .description('end a drain, and retry the tasks that shutdowns stopped')
    .option('--leave-stopped', 'leave the stopped tasks as they are')
    .addOption(reasonOption())
    .action(async ({ leaveStopped, reason }: { leaveStopped?: true; reason?: string }, command: Command) => {
      const { waybill, printer } = open(command);
      await tell(printer, await waybill.system.resume({ stopped: !leaveStopped, reason }));
    });
}

const shown = ({
  quarantined,
  quarantinedTasks,
  failingItems,
  refusedOutboxRows,
  mendedRows,
  skippedEvents,
  doubledEvents,
  failingTriggers,
  skippedOccurrences,
  failingTargets: _failingTargets,
  firstFailingTargets,
  eventsPutAside,
  firstEventsPutAside,
  lastSweepSeconds,
  eventStoreVersion,
  ...system
}: SystemView): readonly (readonly [string, unknown])[] => [
  ...shownDrain(system),
  ...shownTasks(system),
  ['last sweep', lastSweepSeconds === null ? 'never' : `${age(lastSweepSeconds * 1_000)} ago`],
  ['event store', eventStoreVersion && `version ${eventStoreVersion}`],
  ['quarantined', quarantined > 0 ? `${plural(quarantined, 'task')} that this build cannot read` : null],
  [
    'failing',
    failingItems > 0 ? `${failingItems} items that the sweeper could not deal with; its log names them` : null,
  ],
  [
    'mended',
    mendedRows > 0
      ? `${plural(mendedRows, 'row')} of the index that contradicted what is recorded; the log names them`
      : null,
  ],
  [
    'skipped events',
    skippedEvents > 0 ? `${skippedEvents} times, read from their streams and applied; the log names them` : null,
  ],
  ['doubled events', doubledEvents > 0 ? `${doubledEvents}, left out; the log names them` : null],
  [
    'outbox',
    refusedOutboxRows > 0 ? `${plural(refusedOutboxRows, 'row')} refused; waybill_outbox.refusal says why` : null,
  ],
  [
    'left out',
    skippedOccurrences > 0 ? `${skippedOccurrences} occurrences of triggers; 'waybill trigger show' says which` : null,
  ],
  ['failing triggers', failingTriggers > 0 ? `${failingTriggers}; 'waybill triggers' says why` : null],
  ...firstFailingTargets.map(
    ({ target, failures, error, until }) =>
      [
        `to ${target}`,
        `the last ${plural(failures, 'delivery', 'deliveries')} failed; next ${until}: ${error}`,
      ] as const,
  ),
  [
    'put aside',
    eventsPutAside > 0 ? `${plural(eventsPutAside, 'event')} of reactions and triggers, tried again` : null,
  ],
  ...firstEventsPutAside.map(
    ({ reaction, trigger, position, until, reason }) =>
      [`event ${position}`, `${trigger ?? reaction}; next ${until ?? 'when a service starts'}: ${reason}`] as const,
  ),
  ...quarantinedTasks.map(({ taskId, queue, reason }) => [taskId, queue ? `${queue}: ${reason}` : reason] as const),
];

type Tasks = Pick<SystemView, 'running' | 'runningInternal' | 'stopped' | 'stoppedInternal' | 'notResumed'>;

const shownDrain = ({ state, drain }: DrainState): readonly (readonly [string, unknown])[] => [
  ['state', state],
  ['since', drain && `${drain.since}, by ${drain.by}`],
  ['reason', drain?.reason],
  ['quiet', drain && (drain.quiescedAt ? `since ${drain.quiescedAt}` : 'not yet')],
  ['new tasks', drain && (drain.intake === 'closed' ? 'refused' : 'taken')],
];

const shownTasks = ({
  running,
  runningInternal,
  stopped,
  stoppedInternal,
  notResumed,
}: Tasks): readonly (readonly [string, unknown])[] => [
  ['running', tasksOf(running, runningInternal)],
  ['stopped', stopped > 0 ? tasksOf(stopped, stoppedInternal) : null],
  ['not resumed', notResumed > 0 ? plural(notResumed, 'task') : null],
];
