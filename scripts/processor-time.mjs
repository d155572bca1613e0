import { readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const TICKS_PER_SECOND = 100;

/**
 * A reporter of Jest that prints what each spec file costs: seconds of the processor with all processes that it starts
 * and its part of Postgres, and seconds that passed. Wall time says little on a busy machine. Needs Linux and one worker:
 * `npx jest --maxWorkers 1 --reporters default --reporters ./scripts/processor-time.mjs test/chaos`
 */
export default class ProcessorTime {
  #costs = [];
  #before = 0;

  onRunStart() {
    this.#before = spentByFamily(process.pid);
  }

  // Jest starts the next file before it reports the one that has ended.
  onTestFileResult({ path }, { perfStats }) {
    const until = spentByFamily(process.pid);
    this.#costs.push({
      path: relative(process.cwd(), path),
      spent: until - this.#before,
      passed: perfStats.runtime / 1000,
    });
    this.#before = until;
  }

  onRunComplete() {
    const sorted = this.#costs.sort((a, b) => b.spent - a.spent);
    const lines = sorted.map(({ path, spent, passed }) => `${seconds(spent)} ${seconds(passed)}  ${path}`);
    console.log(`\nprocessor   wall\n${lines.join('\n')}`);
  }
}

const seconds = (number) => `${number.toFixed(1).padStart(7)} s`;

/**
 * Of a process, its descendants, the Postgres that it has started, which is a descendant of nobody, the Chromium that was started beside it
 * (`test-browser.mjs`), and all that have ended and were waited for.
 */
function spentByFamily(root) {
  const processes = new Map(readdirSync('/proc').filter(Number).flatMap(readProcess));
  const servers = [...processes.keys()].filter((pid) => commandOf(pid).includes(`/waybill-test-${root}-`));
  const browsers = [...processes.keys()].filter(
    (pid) => process.env.CHROMIUM_URL && processes.get(pid).parent === process.ppid,
  );
  const roots = new Set([root, ...servers, ...browsers]);
  const isFamily = (pid) => roots.has(pid) || (processes.has(pid) && isFamily(processes.get(pid).parent));
  const family = [...processes].filter(([pid]) => isFamily(pid));
  return family.reduce((sum, [, { ticks }]) => sum + ticks, 0) / TICKS_PER_SECOND;
}

/** Empty for a process that has just ended. */
function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Empty for a process that has just ended. See proc(5): its name may contain spaces and brackets. */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return [[Number(pid), { parent: fields[1], ticks: fields[11] + fields[12] + fields[13] + fields[14] }]];
  } catch {
    return [];
  }
}
