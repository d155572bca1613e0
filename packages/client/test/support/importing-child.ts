import { asChild } from '../../src/index.js';
import illegal from './illegal-child.js';

/** Imports a handler that is one of a process of its own, too. */
export default asChild<{ readonly name: string }>(() => typeof illegal);
