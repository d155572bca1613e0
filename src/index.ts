export * from '@waybill/client';
export { startWaybill, type EmbeddedOptions, type EmbeddedWaybill } from './embedded/start-waybill.js';
export { StartupError } from './startup-error.js';
export { WAYBILL, WaybillModule } from './waybill.module.js';
