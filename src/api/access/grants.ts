import { NAME } from '../../domain/kernel/patterns.js';

/**
 * What an API key may allow: to read, to read metrics, to enqueue tasks, to work on them, to order mail and webhooks, to
 * operate queues and tasks, which includes deliveries, to erase what tasks were about, to take the log along.
 */
export const PERMISSIONS = ['read', 'metrics', 'enqueue', 'work', 'deliver', 'operate', 'erase', 'audit'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What has nothing to do with a queue. */
const WITHOUT_QUEUE = ['metrics', 'deliver', 'erase', 'audit'] as const;
type WithoutQueue = (typeof WITHOUT_QUEUE)[number];

/** A permission, for all queues or for one: `enqueue`, `enqueue:mail`. */
export type Grant = Permission | `${Exclude<Permission, WithoutQueue>}:${string}`;

/** Splits `enqueue:mail` into the permission and the queue, which is null if the grant is for all queues. */
export function partsOf(grant: Grant): { readonly permission: Permission; readonly queue: string | null } {
  const [permission, queue = null] = grant.split(':') as [Permission, string?];
  return { permission, queue };
}

/** The queues for which the grants have one of the permissions: all of them, or those named. */
export function queuesOf(may: readonly Grant[], permissions: readonly Permission[]): 'all' | ReadonlySet<string> {
  const granted = may.map(partsOf).filter(({ permission }) => permissions.includes(permission));
  if (granted.some(({ queue }) => queue === null)) return 'all';
  return new Set(granted.flatMap(({ queue }) => queue ?? []));
}

/** `read`, `metrics`, `enqueue` and so on, of which all but `metrics`, `deliver`, `erase` and `audit` may be for one queue: `enqueue:mail`. */
export function isGrant(value: unknown): value is Grant {
  if (typeof value !== 'string') return false;
  const [permission = '', ...queue] = value.split(':');
  if (!PERMISSIONS.includes(permission as Permission) || queue.length > 1) return false;
  return queue.length === 0 || (!WITHOUT_QUEUE.some((one) => one === permission) && NAME.test(queue[0]!));
}
