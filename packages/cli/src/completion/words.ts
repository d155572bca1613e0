import type { Command, Option } from 'commander';

/** Asks the service, because only it knows them. */
export type QueueNames = () => Promise<readonly string[]>;

/** How the command line may go on. `typed`: the words before the one that `current` begins. */
export async function nextWords(
  program: Command,
  typed: readonly string[],
  current: string,
  queues: QueueNames,
): Promise<readonly string[]> {
  const { command, option, given } = placeOf(program, typed);
  const words = option ? await valuesOf(option.attributeName(), option.argChoices, queues) : [];
  if (option) return words.filter((word) => word.startsWith(current));
  const argument = command.registeredArguments[Math.min(given, command.registeredArguments.length - 1)];
  const all = current.startsWith('-')
    ? command.options.filter(({ hidden }) => !hidden).map(({ long, flags }) => long ?? flags)
    : [
        ...command.commands.map((one) => one.name()),
        ...(argument ? await valuesOf(argument.name(), argument.argChoices, queues) : []),
      ];
  return all.filter((word) => word.startsWith(current));
}

interface Place {
  readonly command: Command;
  /** The option whose value comes next. */
  readonly option: Option | undefined;
  /** How many arguments the command has already. */
  readonly given: number;
}

function placeOf(program: Command, typed: readonly string[]): Place {
  let place: Place = { command: program, option: undefined, given: 0 };
  for (const word of typed) place = after(place, word);
  return place;
}

function after({ command, option, given }: Place, word: string): Place {
  if (option) return { command, option: undefined, given };
  if (word.startsWith('-')) return { command, option: command.options.find((one) => takesNext(one, word)), given };
  const sub =
    given === 0 ? command.commands.find((one) => one.name() === word || one.aliases().includes(word)) : undefined;
  return sub ? { command: sub, option, given: 0 } : { command, option, given: given + 1 };
}

const takesNext = (option: Option, word: string): boolean =>
  option.required && [option.short, option.long].includes(word);

const valuesOf = async (name: string, choices: readonly string[] | undefined, queues: QueueNames) =>
  choices ?? (name === 'queue' ? await queues() : []);
