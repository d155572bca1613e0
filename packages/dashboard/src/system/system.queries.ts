import { useLive } from '../app/live.js';
import { useMay } from '../app/me.js';

/** What is about the whole system is asked for only by those who may read all of it. */
const useWhole = () => ({ onlyPresent: true, isAsked: useMay()({ permission: 'read' }) });

export const useSystem = () => useLive(['system'], (waybill) => waybill.system.get(), useWhole());

export const useProjections = () => useLive(['projections'], (waybill) => waybill.projections(), useWhole());

export const useApiKeys = () => useLive(['api keys'], (waybill) => waybill.apiKeys(), { onlyPresent: true });
