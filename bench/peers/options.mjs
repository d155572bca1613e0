import { WORKS } from '../works/all.mjs';

/** What is measured if nothing else is asked for: each work of the systems, and what a task's life costs. */
const USUAL = [...WORKS.map(({ name }) => name), 'life'];

/** Only where it is asked for: Waybill beside itself. */
const KNOWN = [...USUAL, 'scale'];

/** The options of a run as it uses them, from those of the command line. */
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
