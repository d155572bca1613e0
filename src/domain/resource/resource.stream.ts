export const RESOURCE_CATEGORY = 'resource';

/** The stream of one resource. `named` makes the rest of the name no UUID, even if the resource's name is one. */
export const resourceStream = (resource: string): string => `${RESOURCE_CATEGORY}-named-${resource}`;
