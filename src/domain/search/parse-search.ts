import { parse } from './parse.js';
import { type Search, TASK_VOCABULARY } from './term.js';

/** Reads a search such as `state:failed error:"timed out" since:2h`. Throws `SearchError`. */
export const parseSearch = (text: string): Search => parse(text, TASK_VOCABULARY);
