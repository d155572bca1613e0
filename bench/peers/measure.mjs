import { redisVersion } from '../database/redis.mjs';
import { machine } from '../measure/machine.mjs';
import { Comparison } from './comparison.mjs';
import { COUNTED_DISK_TASKS, countLife } from './counts.mjs';
import { judge } from './goals.mjs';
import { measureScale } from '../scale/measure.mjs';
import { summarised } from '../scale/result.mjs';
import { medians, ranges } from './result.mjs';

/** A few tasks show what a life writes. Only many show what it leaves on the disk. */
const QUICKLY_COUNTED = 2_000;

/** Everything that a run measured. Calls `say` for every step. */
export async function measurePeers(postgres, options, say) {
  const about = { machine: machine(), postgres: await postgres.settings(), redis: redisVersion(), options };
  const comparison = new Comparison(postgres, about.redis, options, say);
  await comparison.run();
  const { samples, costs, systems, leftOut } = comparison;
  const counts = options.works.includes('life') ? await countLives(systems, postgres, options, say) : {};
  const scale = options.works.includes('scale') && summarised(await measureScale(postgres, options, say));
  const kept = Object.fromEntries(systems.map(({ title, keeps }) => [title, keeps]));
  const found = { medians: medians(samples), ranges: ranges(samples), costs: medians(costs), samples };
  const goals = judge({ ...samples, counts, scale });
  return { ...about, ...found, counts, kept, ...(scale && { scale }), goals, leftOut };
}

/** Over HTTP, Waybill writes the same as in process. */
const isCounted = ({ name, on }) => on === 'postgres' && name !== 'waybillHttp';

async function countLives(systems, postgres, { quick, tasks }, say) {
  const counts = {};
  for (const { name, title } of systems.filter(isCounted)) {
    say(`counting what ${title} writes`);
    const lives = quick ? Math.min(tasks, QUICKLY_COUNTED) : COUNTED_DISK_TASKS;
    counts[name] = await countLife(name, await postgres.database(`${name}_life`), lives);
  }
  return counts;
}
