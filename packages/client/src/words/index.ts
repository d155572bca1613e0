export { beginsWait, endsTask, hasEffect } from './effects.js';
export { detailsBesideStack, stackOf } from './errors.js';
export { detailsOf } from './events.js';
export { age, byClass, bytes, count, duration, plural } from './numbers.js';
export { amountsOf, fractionOf } from './progress.js';
export { quotaInWords } from './quotas.js';
export { explained } from './reasons.js';
export { type StepState, trackOf, type TrackedStep } from './steps.js';
export { harmless, jsonLine, onOneLine, shortened, wrapped } from './texts.js';
