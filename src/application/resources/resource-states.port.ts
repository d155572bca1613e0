import type { DefinedResource } from '../../domain/resource/resource.decider.js';
import type { Stored } from '../kernel/stream-commands.js';

export interface StoredResource extends Stored<DefinedResource> {
  /** The limits that steps of queues set for its gauge, in order. */
  readonly limits: readonly number[];
}

export interface Measured extends StoredResource {
  /** Whether the measure before this one was too old, or there was none. */
  readonly wasStale: boolean;
  readonly measuredAt: string;
}

/**
 * The resources as of the last event that the index has applied, and what workers measure. A gauge is a row beside the
 * log: claims look at it, and most measures are no events.
 */
export abstract class ResourceStates {
  /** Null if no resource has the name. */
  abstract named(resource: string): Promise<StoredResource | null>;

  /** Null if no resource has the name. Nothing is written then. */
  abstract write(resource: string, value: number, by: string): Promise<Measured | null>;

  /** The first of the names that no resource has; null if all exist. */
  abstract missing(resources: readonly string[]): Promise<string | null>;

  /** A step that needs the resource; null if there is none. */
  abstract neededBy(resource: string): Promise<{ readonly queue: string; readonly step: string } | null>;
}
