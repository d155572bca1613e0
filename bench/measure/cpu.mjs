import { readFileSync } from 'node:fs';

const TICK_MICROSECONDS = 10_000;

/**
 * Microseconds of processor time of a process with all its threads, in steps of 10 ms. Null on systems other than
 * Linux.
 */
export function timeOfProcess(pid) {
  return orNull(() => own(statOf(pid)));
}

/**
 * Microseconds of processor time of a server whose work is done by its child processes, including those that have
 * ended. A server's children have one thread each, so their time is known to the nanosecond.
 */
export function timeOfServer(pid) {
  return orNull(() => own(statOf(pid)) + ended(statOf(pid)) + sum(childrenOf(pid).map(timeOfThread)));
}

/** The process that started this one. */
export const parentOf = (pid) => statOf(pid)[1];

/** The numbers of `/proc/PID/stat` from the state on. The name before them may contain blanks. */
const statOf = (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ').map(Number);

const own = (stat) => (stat[11] + stat[12]) * TICK_MICROSECONDS;
const ended = (stat) => (stat[13] + stat[14]) * TICK_MICROSECONDS;

const childrenOf = (pid) => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);

/** 0 if it has ended since it was listed. */
const timeOfThread = (pid) =>
  orNull(() => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000) ?? 0;

const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);

function orNull(read) {
  try {
    return read();
  } catch {
    return null;
  }
}
