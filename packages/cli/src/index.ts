export { main } from './main.js';
export type { Surroundings } from './session.js';
