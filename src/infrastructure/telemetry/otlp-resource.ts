import { randomUUID } from 'node:crypto';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';

/** Which process it is, for spans and metrics alike. */
const INSTANCE = randomUUID();

/** Who sends. What OpenTelemetry's variables say comes first. */
export const resourceOf = (version: string): Resource =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'waybill',
        'service.version': version,
        'service.instance.id': INSTANCE,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
