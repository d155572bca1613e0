export { openTelemetry, type OpenTelemetryOptions } from './open-telemetry.js';
export { linkTo, traceparentOf } from './trace-context.js';
