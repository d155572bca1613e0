import type { ProgressBar, SingleHeartbeat, TaskLogLine } from '../dto/claim.dto.js';
import { InvalidInput } from '../input/invalid-input.js';

const MOST_FIELD_BYTES = 4_096;

/** Throws `InvalidInput` if two bars have the same title, or the fields of a line are too large. `pointer` is the place of the heartbeat in the body. */
export function assertReports({ progress, log }: Pick<SingleHeartbeat, 'progress' | 'log'>, pointer: string): void {
  if (progress !== undefined && progress.length > 1) assertTitlesDiffer(progress, `${pointer}/progress`);
  log?.forEach(({ fields }, at) => assertFieldsFit(fields, `${pointer}/log/${at}/fields`));
}

function assertTitlesDiffer(bars: readonly ProgressBar[], pointer: string): void {
  const titles = new Set<string>();
  for (const [at, { title }] of bars.entries()) {
    if (titles.has(title)) {
      const detail = `Expected bars with different titles, but '${title}' is the title of two`;
      throw new InvalidInput([{ pointer: `${pointer}/${at}/title`, detail }]);
    }
    titles.add(title);
  }
}

function assertFieldsFit(fields: TaskLogLine['fields'], pointer: string): void {
  if (fields === undefined) return;
  const bytes = Buffer.byteLength(JSON.stringify(fields));
  if (bytes <= MOST_FIELD_BYTES) return;
  const detail = `Expected the fields of a line to have at most ${MOST_FIELD_BYTES} bytes as JSON, but they have ${bytes}`;
  throw new InvalidInput([{ pointer, detail }]);
}
