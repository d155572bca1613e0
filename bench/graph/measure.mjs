import 'reflect-metadata';
import pg from 'pg';
import { startWaybill } from '../../dist/index.js';
import { measureBatch } from './batch.mjs';
import { measureChains } from './chains.mjs';
import { measureFanIn, measureFanOut } from './fans.mjs';

/** Measures each part on one service with all its roles. Calls `say` for every part. */
export async function measureGraph(at, size, say) {
  const service = await startWaybill({ ...at, actor: 'bench' });
  const database = new pg.Client({ connectionString: at.databaseUrl });
  await database.connect();
  const on = { waybill: service.waybill, database };
  try {
    const fanOut = await measureFanOut(on, size, { keyed: false });
    say(`${size.dependants} dependants ready after ${fanOut.ready.toFixed(0)} ms`);
    const fanOutOfKeys = await measureFanOut(on, size, { keyed: true });
    say(`${size.dependants} dependants with keys ready after ${fanOutOfKeys.ready.toFixed(0)} ms`);
    const fanIn = await measureFanIn(on, size);
    say(`fan-in ready after ${fanIn.ready.toFixed(0)} ms`);
    const chains = await measureChains(on, size);
    say(`a chain of ${size.chain} in ${chains.chain.toFixed(0)} ms`);
    const batch = await measureBatch(on, size, say);
    return { fanOut, fanOutOfKeys, fanIn, chains, batch };
  } finally {
    await database.end();
    await service.stop();
  }
}
