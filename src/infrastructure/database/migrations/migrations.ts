import { Tables1763700000000 } from './1763700000000-tables.js';
import type { SchemaStep } from './schema-step.js';

/**
 * Run in this order. Add new ones at the end and change none. They are imported by name, because a glob would load both
 * the sources and the build.
 */
export const MIGRATIONS: readonly (new () => SchemaStep)[] = [Tables1763700000000];
