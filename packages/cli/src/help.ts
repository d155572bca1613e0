import { Help, type HelpConfiguration, type Option } from 'commander';

/** Beyond it, a term stands on a line of its own, so that the texts beside the others have room. */
const WIDEST_TERM = 28;

const helpOf = new Help();

/** How commands say what they do: in lines that fit. */
export const HELP: HelpConfiguration = {
  minWidthToWrap: 20,
  optionDescription(option: Option): string {
    const description = helpOf.optionDescription(option);
    return option.mandatory ? `${description} (required)` : description;
  },
  formatItem(this: Help, term: string, termWidth: number, description: string, helper: Help): string {
    const width = Math.min(termWidth, WIDEST_TERM);
    const item = (shown: string) => Help.prototype.formatItem.call(this, shown, width, description, helper);
    return helper.displayWidth(term) <= width || !description ? item(term) : `  ${term}\n${item('')}`;
  },
};
