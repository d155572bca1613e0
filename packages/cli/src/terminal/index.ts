export { linesOfGraph } from './graph.js';
export { paintFor, type Paint } from './paint.js';
export { timeline } from './timeline.js';
