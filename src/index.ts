export * from '@waybill/client';
export { startWaybill, type EmbeddedOptions, type EmbeddedWaybill } from './embedded/start-waybill.js';
export { StartupError } from './bootstrap/startup-error.js';
export type { MountOptions, Serve } from './embedded/mount.js';
export { WAYBILL, WAYBILL_SERVE, WaybillModule } from './embedded/waybill.module.js';
