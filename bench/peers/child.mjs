// One system in a process of its own: `node child.mjs NAME PLACES`, where PLACES is JSON. Carries out the requests that
// it is sent, one at a time.
import { Meter } from '../measure/meter.mjs';
import { openSystem } from '../systems/all.mjs';
import { runWork } from '../works/all.mjs';

const [name, places] = [process.argv[2], JSON.parse(process.argv[3])];
const system = await openSystem(name, places);
const meter = await Meter.open(places, system.pids);

const ORDERS = {
  work: ({ work, size }) => runWork(work, system, size, { ...places, meter }),
  statements: async () => system.statements?.() ?? null,
  stop: async () => {
    await Promise.all([system.stop(), meter.close()]);
    process.disconnect();
  },
};

process.on('message', (order) => {
  ORDERS[order.kind](order).then(
    (result) => process.connected && process.send({ result }),
    (error) => process.send({ error: error.stack ?? String(error) }),
  );
});
// Also ends if the comparison itself was ended.
process.once('disconnect', () => process.exit());
process.send({ result: 'ready' });
