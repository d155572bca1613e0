/** Lets a fault, or the time between two, last this long. Nothing is awaited: what follows is, in `Run.settled`. */
export const lasting = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
