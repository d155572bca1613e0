import { median } from './quantiles.mjs';

const READS = 1_200_000;
const SLOTS = 2 ** 22;
const TIMES = 5;

const memory = new Uint32Array(SLOTS);

/**
 * Milliseconds of processor time that 1.2 million random reads in 16 MB take now. On a machine that shares its memory
 * with others, this shows how much of a change is due to them.
 */
export const yardstick = () => median(Array.from({ length: TIMES }, timeOfReads));

function timeOfReads() {
  const before = process.cpuUsage();
  let at = 1;
  for (let read = 0; read < READS; read++) at = (Math.imul(at, 1_664_525) + 1_013_904_223 + memory[at >>> 10]) >>> 0;
  memory[0] = at & 1;
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
