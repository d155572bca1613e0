/** Handlers, as an application has them: how long each takes. */
export const HANDLERS = { 'nothing to do': { ms: 0 }, '1 ms each': { ms: 1 } };
