import type { Waybill } from '@waybill/client';
import type { Command } from 'commander';
import { first } from '../arguments.js';
import { SCRIPTS } from '../completion/scripts.js';
import { nextWords } from '../completion/words.js';
import type { Surroundings, Open } from '../session.js';

const INSTALLED: Readonly<Record<keyof typeof SCRIPTS, string>> = {
  bash: 'source <(waybill completion bash)        # in ~/.bashrc',
  zsh: 'source <(waybill completion zsh)         # in ~/.zshrc, after compinit',
  fish: 'waybill completion fish | source         # in ~/.config/fish/config.fish',
};

const MOST_QUEUES = 500;

/** Completes command lines in shells: commands, options, choices and the names of queues. */
export function addCompletionCommand(program: Command, open: Open, { stdout }: Surroundings): void {
  const completion = program
    .command('completion')
    .description('complete commands, options and queues with the tab key');
  for (const shell of Object.keys(SCRIPTS) as (keyof typeof SCRIPTS)[])
    completion
      .command(shell)
      .description(`print what ${shell} needs for it`)
      .addHelpText('after', `\n  ${INSTALLED[shell]}`)
      .action(() => void stdout.write(`${SCRIPTS[shell]}\n`));
  completion
    .command('words [typed...]')
    .description('print how a command line may go on, which those scripts ask')
    .requiredOption('--current <word>', 'the beginning of the word that is typed')
    .action(async (typed: readonly string[], { current }: { readonly current: string }, command: Command) => {
      const { waybill, printer } = open(command);
      for (const word of await nextWords(program, typed, current, () => queuesOf(waybill))) await printer.line(word);
    });
}

/** None while no service answers: whoever types a command must not read about that. */
async function queuesOf(waybill: Waybill): Promise<readonly string[]> {
  try {
    const { items } = await first(waybill.queues({ internal: false, limit: MOST_QUEUES }), MOST_QUEUES);
    return items.map(({ name }) => name);
  } catch {
    return [];
  }
}
