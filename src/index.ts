export * from '@waybill/client';
export { startWaybill, type EmbeddedOptions, type EmbeddedWaybill } from './embedded/start-waybill.js';
export { StartupError } from './bootstrap/startup-error.js';
export { WAYBILL, WaybillModule } from './embedded/waybill.module.js';
