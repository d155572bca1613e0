/** Runs `work(index)` for every index, `lanes` at a time; each lane goes on as soon as its own work is done. */
export async function inLanes(lanes, count, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** `count` tasks as sizes of batches: the last one may be smaller. */
export const batchSizes = (count, batch) =>
  Array.from({ length: Math.ceil(count / batch) }, (_, at) => Math.min(batch, count - at * batch));
