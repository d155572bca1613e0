export const TRIGGER_CATEGORY = 'trigger';

/**
 * The stream of one trigger. `named` makes the rest of the name no UUID, even if the trigger's name is one, because a
 * store may identify a stream by a UUID in its name alone.
 */
export const triggerStream = (trigger: string): string => `${TRIGGER_CATEGORY}-named-${trigger}`;
