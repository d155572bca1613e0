import type { ProgressBar } from '../dto/claim.dto.js';
import { InvalidInput } from '../input/invalid-input.js';

/** Throws `InvalidInput` if two bars have the same title. `pointer` is the place of the list in the body. */
export function assertTitlesDiffer(bars: readonly ProgressBar[] | undefined, pointer: string): void {
  if (bars === undefined || bars.length < 2) return;
  const titles = new Set<string>();
  for (const [at, { title }] of bars.entries()) {
    if (titles.has(title)) {
      const detail = `Expected bars with different titles, but '${title}' is the title of two`;
      throw new InvalidInput([{ pointer: `${pointer}/${at}/title`, detail }]);
    }
    titles.add(title);
  }
}
