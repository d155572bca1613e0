/** Yields to others for a random time. For races only, in which nothing is awaited. */
export const jitter = (mostMs: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * mostMs));
