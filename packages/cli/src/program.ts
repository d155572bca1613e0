import { Command } from 'commander';
import { userInfo } from 'node:os';
import { addEnqueueCommand } from './commands/enqueue.js';
import { addEventsCommand } from './commands/events.js';
import { addApiKeyCommand } from './commands/api-key.js';
import { addQueueCommands } from './commands/queue.js';
import { addSystemCommands } from './commands/system.js';
import { addTaskCommands } from './commands/task.js';
import { type Open, openSession, type Surroundings } from './session.js';

const EXAMPLES = `
Examples:
  waybill queues                                       what there is, and how it stands
  waybill tasks --queue mail --state failed            the failed tasks of a queue
  waybill task history 019a7f3e-...                    everything that happened to a task
  waybill task why 019a7f3e-...                        why it is not running
  waybill tasks --queue mail --state failed --quiet | waybill task retry -
  waybill events --queue mail --follow --json          as it happens, for programs`;

/** Everything that can be typed. */
export function programFor(surroundings: Surroundings): Command {
  const { stdout, stderr, env } = surroundings;
  const program = new Command('waybill')
    .description('Looks into a Waybill service, and steers it.')
    .option('--url <address>', 'where the service is (WAYBILL_URL)', env.WAYBILL_URL || 'http://127.0.0.1:3000')
    .option('--actor <name>', 'who acts, in the history (WAYBILL_ACTOR)', env.WAYBILL_ACTOR || whoami())
    .option('--json', 'one JSON document a line, for programs')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) });
  const open: Open = (command) => openSession(command, surroundings);
  for (const add of [
    addQueueCommands,
    addTaskCommands,
    addEnqueueCommand,
    addEventsCommand,
    addSystemCommands,
    addApiKeyCommand,
  ])
    add(program, open);
  return program;
}

/** A user without a name, as containers have them, acts as the command line. */
function whoami(): string {
  try {
    return userInfo().username;
  } catch {
    return 'cli';
  }
}
