import type { Command } from 'commander';
import { addCommonOptions, LOCAL } from '../common-options.js';
import { NotDone } from '../problems.js';
import { printerFor, type Surroundings } from '../session.js';
import { fields } from '../terminal/table.js';

/** Reads the settings as a service would, and starts none. */
export function addConfigCommand(program: Command, surroundings: Surroundings): void {
  const { env, checkConfig } = surroundings;
  const config = program.command('config').description('the settings of a service, which it has from its environment');
  const check = config
    .command('check')
    .description('read the settings of the environment as a service does, and print them with secrets masked')
    .addHelpText('after', '\nExit codes: 0 a service would take them, 2 they are invalid.')
    .action(async (_: object, command: Command) => {
      if (!checkConfig) throw new NotDone(NOT_INSTALLED);
      const printer = printerFor(command, surroundings);
      const checked = await checkConfig(env);
      if ('problems' in checked) throw new NotDone(checked.problems.join('\n'), 2);
      await printer.show(checked.settings, (paint) => fields(Object.entries(checked.settings).map(asText), paint));
    });
  addCommonOptions(check, LOCAL);
}

const asText = ([name, value]: readonly [string, unknown]): readonly [string, unknown] => [
  name,
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
];

const NOT_INSTALLED =
  "Expected to read the settings of a service, but only the command line is installed here. 'npx waybill config check' includes the service.";
