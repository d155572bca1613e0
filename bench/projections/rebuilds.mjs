import { IndexRebuild } from '../../dist/infrastructure/dispatch-index/index-rebuild.js';
import { Leaders } from '../../dist/infrastructure/leadership/leaders.js';
import { Rebuild } from '../../dist/infrastructure/projection-engine/rebuild.js';
import { FOLLOWED } from '../../dist/projections/read-models.js';

/**
 * Seconds to rebuild the read models from the whole log. `tasks` includes the queues' rows and the dispatch index. The
 * others are rebuilt one by one, and in one pass like `npm run rebuild -- all`.
 */
export async function rebuildAll(pool, store) {
  const leaders = new Leaders(pool);
  const rebuild = new Rebuild(store, pool, leaders);
  try {
    const seconds = { tasks: await timed(() => new IndexRebuild(pool).run()) };
    for (const model of FOLLOWED) seconds[model.name] = await timed(() => rebuild.run([model]));
    const others = await timed(() => rebuild.run(FOLLOWED));
    return { ...seconds, all: seconds.tasks + others };
  } finally {
    await leaders.close();
  }
}

async function timed(work) {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
