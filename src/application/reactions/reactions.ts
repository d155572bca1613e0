import { ClearFailuresOnSuccess } from './clear-failures-on-success.js';

/** Every reaction that follows the log. */
export const REACTIONS = [ClearFailuresOnSuccess] as const;

/** By which their checkpoints are known: whoever makes an index from a log sets them to its end, so that nothing is reacted to twice. */
export const REACTION_NAMES: readonly string[] = REACTIONS.map(({ NAME }) => NAME);
