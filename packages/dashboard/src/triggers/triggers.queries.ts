import { firstOf, useLive } from '../app/live.js';

export const MOST_TRIGGERS = 200;

export const useTriggers = () =>
  useLive(['triggers'], (waybill) => firstOf(waybill.triggers({ limit: MOST_TRIGGERS }), MOST_TRIGGERS));

export const useTrigger = (name: string) => useLive(['trigger', name], (waybill) => waybill.trigger(name).get());
