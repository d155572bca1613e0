import type { Screen } from '../demo/screen.js';

/**
 * Starts a service as the demo does, or takes the one that WAYBILL_URL names, and stops what it started. Tells the address
 * of a page of its dashboard.
 */
export async function withService<T>(
  env: NodeJS.ProcessEnv,
  screen: Screen,
  use: (url: string) => Promise<T>,
  page = 'batches',
): Promise<T> {
  if (env.WAYBILL_URL) {
    tell(screen, env.WAYBILL_URL, page);
    return await use(env.WAYBILL_URL);
  }
  // Imported late, because the service takes a second to load, and a wrong option should be reported at once.
  const { demoConfig, startService } = await import('../demo/service.js');
  const service = await startService(demoConfig(env, Number(env.PORT || '3000')));
  try {
    tell(screen, service.url, page, ' (until this ends)');
    return await use(service.url);
  } finally {
    await service.stop();
  }
}

/** A link that the end of the program breaks says so. */
function tell(screen: Screen, url: string, page: string, howLong = ''): void {
  screen.step('Service', url);
  screen.step('Dashboard', `${screen.paint.cyan(`${url.replace(/\/+$/, '')}/dashboard/#/${page}`)}${howLong}`);
}
