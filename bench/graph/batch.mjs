import { median } from '../measure/quantiles.mjs';
import { drain, fill, seconds } from './work.mjs';

/** A batch and as many plain tasks, in turns. */
export async function measureBatch({ waybill }, { members, repeat }, say) {
  const rounds = [];
  for (let round = 0; round < repeat; round++) {
    const inTurn = round % 2 === 0 ? ['plain', 'batch'] : ['batch', 'plain'];
    const rates = {};
    for (const kind of inTurn) rates[kind] = await MEASURE[kind](waybill, `${kind}-${round}`, members);
    rounds.push(rates);
    say(`round ${round + 1}: batch ${rates.batch.drain.toFixed(0)}, plain ${rates.plain.drain.toFixed(0)} per second`);
  }
  const of = (kind, what) => median(rounds.map((rates) => rates[kind][what]));
  return {
    fill: of('batch', 'fill'),
    plainFill: of('plain', 'fill'),
    drain: of('batch', 'drain'),
    plainDrain: of('plain', 'drain'),
    ratio: median(rounds.map(({ batch, plain }) => batch.drain / plain.drain)),
  };
}

const MEASURE = {
  async plain(waybill, name, count) {
    const queue = waybill.queue(name);
    await queue.define();
    const filled = await seconds(() => fill(queue, count));
    return { fill: count / filled, drain: count / (await seconds(() => drain(waybill, queue, count))) };
  },
  /** The drain begins with the opening. */
  async batch(waybill, name, count) {
    const queue = waybill.queue(name);
    await queue.define();
    const batch = await waybill.planBatch({ name }).create();
    const filled = await seconds(() => fill(queue, count, { batch: batch.id }));
    const drained = await seconds(async () => {
      await batch.open(count);
      await drain(waybill, queue, count);
    });
    return { fill: count / filled, drain: count / drained };
  },
};
