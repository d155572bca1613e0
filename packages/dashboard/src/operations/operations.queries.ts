import { firstOf, useLive } from '../app/live.js';

export const MOST_OPERATIONS = 100;

export const useOperations = () =>
  useLive(['operations'], (waybill) => firstOf(waybill.operations({ limit: MOST_OPERATIONS }), MOST_OPERATIONS), {
    onlyPresent: true,
  });

export const useOperation = (id: string) =>
  useLive(['operation', id], (waybill) => waybill.operation(id), { onlyPresent: true });
