import { firstOf, useLive } from '../app/live.js';

export const MOST_BATCHES = 100;

export const useBatches = () =>
  useLive(['batches'], (waybill) => firstOf(waybill.batches({ limit: MOST_BATCHES }), MOST_BATCHES));

export const useBatch = (id: string) => useLive(['batch', id], (waybill) => waybill.batch(id).get());

export const useBatchReports = (id: string, most: number) =>
  useLive(['batch reports', id], (waybill) => firstOf(waybill.batch(id).reports({ limit: most }), most));

export const useBatchTally = (id: string) => useLive(['batch tally', id], (waybill) => waybill.batch(id).tally());
