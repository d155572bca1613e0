import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EVENT_FORMATS } from '../packages/cli/src/export/formats.js';

const run = promisify(execFile);

const EVENTS = 99_000;
/** The events alone have 100 MB of text. */
const HEAP_MB = 64;

/** No bound on an export, but the end of a test that hangs. */
const MOST_MS = 600_000;

describe(`an export of ${EVENTS} events with a heap of ${HEAP_MB} MB`, () => {
  it.each(Object.keys(EVENT_FORMATS))(
    'is written whole as %s',
    async (format) => {
      const args = [
        `--max-old-space-size=${HEAP_MB}`,
        join(__dirname, 'cli/export-process.mjs'),
        format,
        String(EVENTS),
      ];
      const { stdout } = await run(process.execPath, args);
      const { lines, chars } = JSON.parse(stdout) as { lines: number; chars: number };
      // A RunEvent has the attempts, of three events each, but not what was the matter with them.
      const [least, each] = format === 'openlineage' ? [(EVENTS * 2) / 3, 500] : [EVENTS, 700];
      expect(lines).toBeGreaterThanOrEqual(least);
      if (format !== 'prov') expect(chars).toBeGreaterThan(least * each);
    },
    MOST_MS,
  );
});
