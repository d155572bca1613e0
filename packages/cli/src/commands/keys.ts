import { plural } from '@waybill/client/words';
import type { Command } from 'commander';
import { addCommonOptions, LOCAL } from '../common-options.js';
import { NotDone } from '../problems.js';
import { printerFor, type Surroundings } from '../session.js';

/** Changes the keys with which private halves in EventStoreDB are encrypted. */
export function addKeysCommand(program: Command, surroundings: Surroundings): void {
  const { env, rewrapSubjectKeys } = surroundings;
  const keys = program.command('keys').description('the keys of WAYBILL_SUBJECT_KEY_FILE');
  const rewrap = keys
    .command('rewrap')
    .description('encrypt what the other lines have encrypted with the first line, so that nobody needs them')
    .addHelpText('after', MORE)
    .action(async (_, command: Command) => {
      if (!rewrapSubjectKeys) throw new NotDone(NOT_INSTALLED);
      const printer = printerFor(command, surroundings);
      const result = await rewrapSubjectKeys(env);
      if ('refused' in result) throw new NotDone(result.refused, 2);
      await printer.show(result, (paint) => [
        `${paint.green('✓')} ${plural(result.keys, 'key')} rewrapped; now remove all lines but the first`,
      ]);
    });
  addCommonOptions(rewrap, LOCAL);
}

const MORE = `
Exit codes: 0 done, 2 the file or the database cannot be used.
Needs the settings of the service: DATABASE_URL and WAYBILL_SUBJECT_KEY_FILE. Services may run meanwhile, if each was
started with the new key in the first line.`;

const NOT_INSTALLED =
  "Expected to rewrap keys, but only the command line is installed here. 'npx waybill keys rewrap' includes the service.";
