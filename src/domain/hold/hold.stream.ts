export const HOLD_CATEGORY = 'hold';

/** The stream of one hold. `named` makes the rest of the name no UUID, even if the hold's name is one. */
export const holdStream = (hold: string): string => `${HOLD_CATEGORY}-named-${hold}`;
