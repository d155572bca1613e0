import { useLive } from '../app/live.js';
import { useMay } from '../app/me.js';
import { useMoment } from '../time/moment.js';

/** What is about the whole system is asked for only by those who may read all of it. */
const useWhole = () => ({ onlyPresent: true, isAsked: useMay()({ permission: 'read' }) });

export const useSystem = () => useLive(['system'], (waybill) => waybill.system.get(), useWhole());

/** Whether and how it drained at the moment that the page stands at; nothing of now. */
export function useDrainThen() {
  const isPast = useMoment() !== undefined;
  const mayRead = useMay()({ permission: 'read' });
  return useLive(['drain'], (waybill) => waybill.system.getDrain(), { isAsked: isPast && mayRead });
}

export const useProjections = () => useLive(['projections'], (waybill) => waybill.projections(), useWhole());

export const useSealedLog = () => useLive(['sealed log'], (waybill) => waybill.log.get(), useWhole());

export const useApiKeys = () => useLive(['api keys'], (waybill) => waybill.apiKeys(), { onlyPresent: true });
