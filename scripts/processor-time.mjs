import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const TICKS_PER_SECOND = 100;

/**
 * Measures what a spec file costs, from now until the function that it returns is called, which adds a line to the file of PROCESSOR_TIME:
 * seconds of the processor with all processes that it starts, and its path. Wall time says little on a busy machine. Needs Linux.
 * Where Jest has one worker, the Postgres and the Chromium of the run are counted, too; several workers share these.
 */
export function startMeasuring(path, { maxWorkers, rootDir }) {
  const file = process.env.PROCESSOR_TIME;
  if (!file) return () => undefined;
  // Without a worker, it is Jest itself that runs the spec.
  const jest = process.send ? process.ppid : process.pid;
  const spent = () => (maxWorkers === 1 ? spentByRun(jest) : spentByFamily(process.pid));
  const before = spent();
  return () => appendFileSync(file, `${(spent() - before).toFixed(1)} ${relative(rootDir, path)}\n`);
}

/**
 * Of a run of Jest, the Postgres that it has started, which is a descendant of nobody, and the Chromium that was started beside it
 * (`test-browser.mjs`).
 */
function spentByRun(jest) {
  const processes = readProcesses();
  const servers = [...processes.keys()].filter((pid) => commandOf(pid).includes(`/waybill-test-${jest}-`));
  const beside = processes.get(jest)?.parent;
  const browsers = [...processes.keys()].filter(
    (pid) => process.env.CHROMIUM_URL && processes.get(pid).parent === beside,
  );
  return spentBy(new Set([jest, ...servers, ...browsers]), processes);
}

/** Of a worker and all that it has started. Looking at every process of the machine instead took 4 to 8 ms, twice for each spec file. */
function spentByFamily(worker) {
  const familyOf = (pid) => [...readProcess(pid), ...childrenOf(pid).flatMap(familyOf)];
  return familyOf(worker).reduce((sum, [, { ticks }]) => sum + ticks, 0) / TICKS_PER_SECOND;
}

/** Each thread has the processes that it started; empty for a process that has just ended. */
function childrenOf(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.flatMap(
      (thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').match(/\d+/g) ?? [],
    );
  } catch {
    return [];
  }
}

/** Of processes, their descendants, and all that have ended and were waited for. */
function spentBy(roots, processes) {
  const isFamily = (pid) => roots.has(pid) || (processes.has(pid) && isFamily(processes.get(pid).parent));
  const family = [...processes].filter(([pid]) => isFamily(pid));
  return family.reduce((sum, [, { ticks }]) => sum + ticks, 0) / TICKS_PER_SECOND;
}

const readProcesses = () => new Map(readdirSync('/proc').filter(Number).flatMap(readProcess));

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
