import { type Stage, succeed, work } from './stage.js';

/** What each queue is for. All of them do their work; some have nothing to do. */
export const QUIET: Readonly<Record<string, string>> = {
  orders: 'Orders of the shop',
  mail: 'Letters to customers',
  invoices: 'Invoices of orders that were sent',
  refunds: 'Money that goes back',
  thumbnails: 'Small pictures of products',
  'search-index': 'What the search of the shop knows',
  webhooks: 'Calls of the systems of partners',
  reports: 'What people read in the morning',
  ...Object.fromEntries(
    [
      'address-check archive audio-transcode backup billing carts catalogue-import churn-score cleanup consent',
      'contracts coupons crm-sync currency-rates customs-forms dunning erp-sync etl-daily etl-hourly exports',
      'fraud-check geo-lookup gift-cards hr-sync labels ledger log-rollup loyalty newsletter parcel-tracking',
      'pdf-render price-feed push-notify returns reviews sepa-files shipping sms stock-levels tax-forms video-transcode',
    ]
      .join(' ')
      .split(' ')
      .map((name) => [name, '']),
  ),
};

const BUSY = ['orders', 'mail', 'invoices', 'thumbnails', 'search-index', 'webhooks'];

/** How long it takes, and how often its queues get tasks meanwhile. */
export const QUIET_MINUTES = 110;
const EVERY_MINUTES = 10;

/** Forty-nine queues that do their work; six of them have much of it. Nobody is needed. */
export async function quietMorning({ as, pass }: Stage): Promise<void> {
  const ann = as('ann');
  await Promise.all(Object.entries(QUIET).map(([name, description]) => ann.queue(name).define({}, { description })));
  await ann.trigger('sales-of-the-day').define({
    cron: '30 5 * * 1-5',
    timeZone: 'Europe/Berlin',
    task: { queue: 'reports' },
    description: 'Sales of the day before',
  });
  for (let round = 0; round * EVERY_MINUTES <= QUIET_MINUTES; round++) {
    if (round > 0) await pass(EVERY_MINUTES);
    for (const [at, queue] of BUSY.entries()) await workOff(as, queue, 4 + ((round * 5 + at * 3) % 9), round);
  }
}

async function workOff(as: Stage['as'], queue: string, count: number, round: number): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => 10_000 + round * 100 + n);
  await as('shop')
    .queue(queue)
    .enqueueMany(
      numbers.map((order) => ({
        payload: { order, lines: 1 + (order % 4) },
        reference: `${queue}-${order}`,
      })),
    );
  const worker = `worker-${1 + (round % 3)}`;
  await work(as(worker), { queue, count, worker, verdict: succeed });
}
