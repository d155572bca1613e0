/** The feed says something at least every 15 s. */
const SILENCE_MS = 20_000;

let heardAt = -Infinity;

/** The feed has said something. */
export const heard = (): void => void (heardAt = performance.now());

/** Nobody listens to the feed any more. */
export const unheard = (): void => void (heardAt = -Infinity);

/** Whether the service tells what changes. Otherwise each page asks by itself. */
export const isFed = (): boolean => performance.now() - heardAt < SILENCE_MS;
