import type { TaskProgressBar } from '@waybill/client';
import { amountsOf, fractionOf, onOneLine, shortened } from '@waybill/client/words';

const BAR_WIDTH = 20;
const TITLE_WIDTH = 30;

/** One line per progress bar: its title, the bar, and how far it is. */
export function barsOf(bars: readonly TaskProgressBar[]): string {
  const titles = bars.map(({ title }) => shortened(onOneLine(title), TITLE_WIDTH));
  const width = Math.max(0, ...titles.map(({ length }) => length));
  return bars.map((bar, index) => `${titles[index]!.padEnd(width)}  ${drawn(bar)}  ${amountsOf(bar)}`).join('\n');
}

function drawn(bar: TaskProgressBar): string {
  const full = Math.floor(BAR_WIDTH * fractionOf(bar));
  return '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
}
