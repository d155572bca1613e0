import { holdXmin } from '../database/xmin-holder.mjs';
import { bulkAndDrain } from './bulk-and-drain.mjs';

/** Completes tasks while an old transaction keeps every dead row from being cleaned up. */
export async function heldXmin(system, size, places) {
  const release = await holdXmin(places.url);
  try {
    return { heldXmin: (await bulkAndDrain(system, size, places)).drain };
  } finally {
    await release();
  }
}
