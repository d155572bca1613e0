export const VIEW_CATEGORY = 'view';

/** The stream of one shared view. `named` makes the rest of the name no UUID, even if the view's name is one. */
export const viewStream = (view: string): string => `${VIEW_CATEGORY}-named-${view}`;
