import { EVENT_FORMATS } from '../../packages/cli/dist/export/formats.js';
import { withSortedLines } from '../../packages/cli/dist/export/sorted-lines.js';

/**
 * Writes a log of many tasks in a format, and tells how many lines and characters that made: `<format> <events>`. It keeps no line. An
 * event has some 1,000 characters.
 */
const [format, count] = process.argv.slice(2);

const TYPES = ['TaskEnqueued', 'TaskClaimed', 'TaskSucceeded'];
/** As many tasks are open at the same time. */
const APART = 1_000;

function eventAt(at) {
  const [round, step, task] = [Math.floor(at / (3 * APART)), Math.floor(at / APART) % 3, at % APART];
  const id = `${String(round).padStart(8, '0')}-0000-7000-8000-${String(task).padStart(12, '0')}`;
  const text = 'x'.repeat(700);
  return {
    position: String(at + 1),
    stream: `task-${id}`,
    revision: step,
    type: TYPES[step],
    version: 1,
    id: `${String(at).padStart(8, '0')}-0000-7000-8000-000000000000`,
    recordedAt: new Date(at * 10).toISOString(),
    data: { queue: 'mail', key: `key ${id}`, worker: `w${task % 100}`, token: `${round}`, attempt: 1, payload: text },
    envelope: { actor: 'ann', correlationId: `${round}-${step}-${Math.floor(task / 10)}` },
  };
}

async function* events() {
  for (let at = 0; at < Number(count); at++) yield eventAt(at);
}

let [lines, chars] = [0, 0];
await withSortedLines(async (sorted) => {
  for await (const line of EVENT_FORMATS[format](events(), { isPrivate: true, sorted })) {
    lines++;
    chars += line.length;
  }
});
console.log(JSON.stringify({ lines, chars }));
