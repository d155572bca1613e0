import { holdXmin } from '../database/xmin-holder.mjs';
import { drain, fill } from './bulk-and-drain.mjs';

/** Works tasks off while an old transaction keeps every dead row from being cleaned up. */
export async function heldXmin(system, size, places) {
  const release = await holdXmin(places.url);
  try {
    await fill(system, size);
    return { heldXmin: (await drain(system, size, places)).drain };
  } finally {
    await release();
  }
}
