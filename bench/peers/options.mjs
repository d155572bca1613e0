import { WORKS } from '../works/all.mjs';

/** The default: each work of the systems, and the cost of a task's life. */
const USUAL = [...WORKS.map(({ name }) => name), 'life'];

/** Only on request: Waybill in several processes. */
const KNOWN = [...USUAL, 'scale'];

/** The options of a run from those of the command line. */
export function optionsOf({ quick, tasks, repeat, systems, works }) {
  return {
    quick,
    tasks: Number(tasks ?? (quick ? 20_000 : 50_000)),
    scaleTasks: Number(tasks ?? (quick ? 4_000 : 20_000)),
    repeat: Number(repeat ?? (quick ? 1 : 3)),
    systems: systems?.split(','),
    works: works === undefined ? USUAL : knownWorks(works.split(',')),
  };
}

function knownWorks(asked) {
  const unknown = asked.find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) throw new Error(`Expected works among ${KNOWN.join(', ')}, but got '${unknown}'`);
  return asked;
}
