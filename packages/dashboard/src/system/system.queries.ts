import { WaybillError } from '@waybill/client';
import { useLive } from '../app/live.js';

export const useSystem = () => useLive(['system'], (waybill) => waybill.system.get(), { onlyPresent: true });

export const useProjections = () => useLive(['projections'], (waybill) => waybill.projections(), { onlyPresent: true });

/** Null if the reader's own key may not see them. */
export const useApiKeys = () =>
  useLive(['api keys'], (waybill) =>
    waybill.apiKeys().catch((error: unknown) => {
      if (error instanceof WaybillError && error.code === 'FORBIDDEN') return null;
      throw error;
    }),
  );
