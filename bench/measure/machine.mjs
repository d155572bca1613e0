import { cpus, loadavg, totalmem } from 'node:os';

/** The machine on which the figures were measured, and its load at the start. */
export function machine() {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    loadAverage: loadavg()[0],
  };
}
