import { ApiError } from '../problems/api-error.js';
import type { ApiKey, Permission } from './api-keys.js';
import { partsOf } from './grants.js';

/**
 * Throws `FORBIDDEN` unless the key has one of the needed permissions, for whichever queue. `data`: further members of
 * the problem.
 */
export function assertMay({ name, may }: ApiKey, needed: readonly Permission[], data: object = {}): void {
  if (may.some((grant) => needed.includes(partsOf(grant).permission))) return;
  const detail = `Expected an API key with the permission '${needed.join("' or '")}', but that of '${name}' has '${may.join("', '")}'`;
  throw new ApiError('FORBIDDEN', detail, {}, data);
}
