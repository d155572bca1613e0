import { ApiError } from '../problems/api-error.js';
import type { ApiKey, Permission } from './api-keys.js';
import { partsOf, queuesOf } from './grants.js';

/**
 * Throws `FORBIDDEN` unless the key has one of the needed permissions, for whichever queue. `data`: further members of
 * the problem.
 */
export function assertMay({ name, may }: ApiKey, needed: readonly Permission[], data: object = {}): void {
  if (may.some((grant) => needed.includes(partsOf(grant).permission))) return;
  const detail = `Expected an API key with the permission '${needed.join("' or '")}', but that of '${name}' has '${may.join("', '")}'`;
  throw new ApiError('FORBIDDEN', detail, {}, data);
}

/** Whether the key has the permission for all queues. Without keys, everybody has. */
export const mayAll = (key: ApiKey | null, needed: Permission): boolean =>
  key === null || queuesOf(key.may, [needed]) === 'all';

/** Throws `FORBIDDEN` unless the key has the permission for all queues. */
export function assertMayAll(key: ApiKey | null, needed: Permission): void {
  if (key === null || mayAll(key, needed)) return;
  const detail = `Expected an API key with the permission '${needed}' for all queues, but that of '${key.name}' has '${key.may.join("', '")}'`;
  throw new ApiError('FORBIDDEN', detail);
}

/** What orders mail and webhooks, also as a part of something else. */
export const DELIVER: readonly Permission[] = ['deliver', 'operate'];

/** Throws `FORBIDDEN` unless the key may order the deliveries that a request leads to, such as the reports of a batch. */
export function assertMayDeliver(key: ApiKey | null, where: string): void {
  if (key === null || queuesOf(key.may, DELIVER) === 'all') return;
  const detail = `Expected an API key with the permission '${DELIVER.join("' or '")}', because '${where}' orders mail or webhooks, but that of '${key.name}' has '${key.may.join("', '")}'`;
  throw new ApiError('FORBIDDEN', detail);
}
