export const NOTARY_CATEGORY = 'notary';

/** The stream of what is said about the sealed log. */
export const notaryStream = (about: string): string => `${NOTARY_CATEGORY}-${about}`;

/** What the one stream is about that says which logs came before this one. */
export const LOG = 'log';
