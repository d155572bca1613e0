/** Runs `work(index)` for every index, `lanes` at a time. Each lane continues as soon as its own work is done. */
export async function inLanes(lanes, count, work) {
  let next = 0;
  const lane = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Splits `count` tasks into batches. Returns their sizes; the last one may be smaller. */
export const batchSizes = (count, batch) =>
  Array.from({ length: Math.ceil(count / batch) }, (_, at) => Math.min(batch, count - at * batch));
