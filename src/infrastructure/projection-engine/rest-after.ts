const SHORTEST_MS = 20;
const LONGEST_MS = 100;

/**
 * How long a follower rests after so many events: shortly after a few, so that what follows from them is done soon, and longer
 * after many, because each round costs a commit and a round trip however many events it takes.
 */
export const restAfter = (events: number): number => Math.min(LONGEST_MS, Math.max(SHORTEST_MS, events));
