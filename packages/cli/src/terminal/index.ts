export { paintFor, type Paint } from './paint.js';
export { timeline } from './timeline.js';
export { byClass, bytes, count, duration, plural, wrapped } from './words.js';
