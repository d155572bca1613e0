import { Command } from 'commander';
import { addCommonOptions } from './common-options.js';
import { addPreviewOption } from './preview-option.js';
import { addBatchCommands } from './commands/batch.js';
import { addCompletionCommand } from './commands/completion.js';
import { addConfigCommand } from './commands/config.js';
import { addDoctorCommand } from './commands/doctor.js';
import { addInitCommand } from './commands/init.js';
import { addOpenCommand } from './commands/open.js';
import { addTopCommand } from './commands/top.js';
import { addCheckCommand } from './commands/check.js';
import { addClaimCommands } from './commands/claim.js';
import { addDeliverCommand } from './commands/deliver.js';
import { addDrainCommands } from './commands/drain.js';
import { addFailureCommands } from './commands/failures.js';
import { addHoldCommands } from './commands/hold.js';
import { addLimitCommands } from './commands/limit.js';
import { addResourceCommands } from './commands/resource.js';
import { addTriggerCommands } from './commands/trigger.js';
import { addEnqueueCommand } from './commands/enqueue.js';
import { addActivityCommand } from './commands/activity.js';
import { addChangesCommand } from './commands/changes.js';
import { addOperationsCommand } from './commands/operations.js';
import { addOperationSteps } from './commands/operation-steps.js';
import { addOverlaps } from './commands/lineage.js';
import { addEraseCommand, addErasureCommands, addPurgeCommand } from './commands/erase.js';
import { addEvidenceCommands } from './commands/evidence.js';
import { addEventsCommand } from './commands/events.js';
import { addApiKeyCommand } from './commands/api-key.js';
import { addImportCommand } from './commands/import.js';
import { addKeysCommand } from './commands/keys.js';
import { addMcpCommand } from './commands/mcp.js';
import { addLogCommands } from './commands/log.js';
import { addProjectionCommands } from './commands/projection.js';
import { addMigrateCommand } from './commands/migrate.js';
import { addQueueCommands } from './commands/queue.js';
import { addSystemCommands } from './commands/system.js';
import { addTaskCommands } from './commands/task.js';
import { addLogs } from './commands/task-log.js';
import { addUndoCommand } from './commands/undo.js';
import { addUpCommand } from './commands/up.js';
import { addViewCommands } from './commands/view.js';
import { addVerifyCommand } from './commands/verify.js';
import { completeIds } from './full-ids.js';
import { HELP } from './help.js';
import { type Open, openSession, type Surroundings } from './session.js';
import { VERSION } from './version.js';
import { addWatchOption } from './watch.js';

const EXAMPLES = `
Examples:
  waybill queues                               every queue and its state
  waybill tasks --queue mail --state failed    the failed tasks of a queue
  waybill task history 019a7f3e-...            everything that happened to it
  waybill task why 019a7f3e-...                why it is not running
  waybill task retry --filter queue=mail --filter state=failed
                                               retry all of them
  waybill tasks --state failed,held --watch    a list that follows what happens
  waybill logs 019a7f3e-... --follow           what its handlers say
  waybill top                                  what goes on, as it changes
  waybill doctor                               what is wrong, and what to do
  waybill events --follow --json               new events, for programs`;

/** The whole command line. */
export const programFor = (surroundings: Surroundings): Command =>
  grammarFor(surroundings).hook('preAction', (_, command) =>
    completeIds(command, (one) => openSession(one, surroundings)),
  );

/** Its commands and options. */
export function grammarFor(surroundings: Surroundings): Command {
  const { stdout, stderr } = surroundings;
  const program = new Command('waybill')
    .description('Inspect, control and start a Waybill service.')
    .addHelpText('after', EXAMPLES)
    .version(VERSION)
    // An option after a command's name belongs to that command.
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp(HELP)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stdout.columns ?? 80,
    });
  const open: Open = (command) => openSession(command, surroundings);
  for (const add of [
    addQueueCommands,
    addLimitCommands,
    addTaskCommands,
    addLogs,
    addBatchCommands,
    addTriggerCommands,
    addDeliverCommand,
    addFailureCommands,
    addHoldCommands,
    addResourceCommands,
    addViewCommands,
    addDrainCommands,
    addEnqueueCommand,
    addClaimCommands,
    addImportCommand,
    addEventsCommand,
    addLogCommands,
    addEvidenceCommands,
    addActivityCommand,
    addChangesCommand,
    addOperationsCommand,
    addUndoCommand,
    addOperationSteps,
    addOverlaps,
    addSystemCommands,
    addProjectionCommands,
    addEraseCommand,
    addPurgeCommand,
    addErasureCommands,
  ])
    add(program, open);
  addTopCommand(program, open);
  addOpenCommand(program, surroundings);
  addDoctorCommand(program, surroundings);
  addMcpCommand(program, surroundings);
  addCompletionCommand(program, open, surroundings);
  addPreviewOption(program);
  addWatchOption(program);
  addCommonOptions(program);
  addLocalCommands(program, open, surroundings);
  pointToHelp(program);
  return program;
}

/** Added after the common options, which mean little to them because they contact no service. */
function addLocalCommands(program: Command, open: Open, surroundings: Surroundings): void {
  addApiKeyCommand(program, open);
  addInitCommand(program, surroundings);
  addUpCommand(program, surroundings);
  addMigrateCommand(program, surroundings);
  addCheckCommand(program, surroundings);
  addVerifyCommand(program, surroundings);
  addKeysCommand(program, surroundings);
  addConfigCommand(program, surroundings);
}

/** Ends every usage error with the command that lists the options, and that of a group with the command that lists its members. */
function pointToHelp(command: Command): void {
  command.showHelpAfterError(`${lister(command)}See '${nameOf(command)} --help'.`);
  for (const each of command.commands) pointToHelp(each);
}

/** People look for `task list`, as other programs have it; here it is `tasks`. */
function lister(command: Command): string {
  if (command.commands.length === 0) return '';
  const plurals = [`${command.name()}s`, `${command.name()}es`];
  const list = command.parent?.commands.find((each) => plurals.includes(each.name()));
  return list ? `'${nameOf(list)}' lists them. ` : '';
}

const nameOf = (command: Command): string =>
  command.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
