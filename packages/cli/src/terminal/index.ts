export { paintFor, type Paint } from './paint.js';
export { timeline } from './timeline.js';
