import { type Command, Option } from 'commander';
import { isReasonOption } from './reason-option.js';

/** The option of every command that changes something, but for those that have an own preview. */
export const PREVIEW = new Option('--preview', 'only show what the command would do');

/** Adds the option to this command and its subcommands. */
export function addPreviewOption(command: Command): void {
  const changes = command.options.some(isReasonOption);
  const hasOwn = command.options.some(({ long }) => long === PREVIEW.long);
  if (changes && !hasOwn) command.addOption(PREVIEW);
  for (const each of command.commands) addPreviewOption(each);
}

export const isPreview = (command: Command): boolean =>
  command.options.includes(PREVIEW) && command.getOptionValue(PREVIEW.attributeName()) === true;
