/** Lets others go first, for a moment of random length: for races, in which nothing is waited for. */
export const jitter = (mostMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * mostMs));
