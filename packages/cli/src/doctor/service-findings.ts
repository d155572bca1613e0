import { type ProjectionView, type SystemView, type Waybill, WaybillError, WaybillUnavailable } from '@waybill/client';
import { age, plural } from '@waybill/client/words';
import { VERSION } from '../version.js';
import { fault, type Finding, ok, warning } from './finding.js';

/** How long the service may take to say something. */
const ANSWER_MS = 5_000;
/** The answer's time has whole seconds. */
const CLOCK_MS = 3_000;
const LAG_SECONDS = 10;
const NAMED = 5;

/** What the service at the address says about itself. `mayBeDown`: nobody has said that one runs there. */
export async function* serviceFindings(waybill: Waybill, url: string, mayBeDown: boolean): AsyncGenerator<Finding> {
  const sent = Date.now();
  const answer = await answerAt(`${url}/healthz/ready`);
  if (typeof answer === 'string') {
    const [says, todo] = [`nothing answers at ${url}: ${answer}`, "'waybill up' starts one here; --url names another"];
    yield mayBeDown ? warning('service', says, todo) : fault('service', says, todo);
    return;
  }
  yield await readiness(answer, url);
  yield clock(answer, sent);
  yield await version(url);
  yield* await asked('read models', async () => [readModels(await waybill.projections())]);
  yield* await asked('queues', async () => [await queues(waybill)]);
  yield* await asked('work', async () => [work(await waybill.system.get())]);
}

/** The answer, or why there is none. */
async function answerAt(address: string): Promise<Response | string> {
  try {
    return await fetch(address, { signal: AbortSignal.timeout(ANSWER_MS), redirect: 'error' });
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string } };
    return cause?.code === 'ECONNREFUSED' ? 'connection refused' : (cause?.code ?? message);
  }
}

async function readiness(answer: Response, url: string): Promise<Finding> {
  const body = (await answer.json().catch(() => ({}))) as { status?: string; detail?: string };
  if (body.status === 'ok') return ok('service', `ready at ${url}`);
  if (answer.ok) return warning('service', `works at ${url}, but is degraded`, `see ${url}/healthz/ready`);
  return fault('service', `not ready at ${url}: ${body.detail ?? `status ${answer.status}`}`, 'see its log');
}

function clock({ headers }: Response, sent: number): Finding {
  const apart = Date.parse(headers.get('date') ?? '') - sent;
  if (Number.isNaN(apart)) return warning('clock', 'the service does not say its time', 'is there a proxy in between?');
  if (Math.abs(apart) <= CLOCK_MS) return ok('clock', 'the service and this machine agree');
  const which = apart > 0 ? 'ahead of' : 'behind';
  return warning('clock', `the service is ${age(Math.abs(apart))} ${which} this machine`, 'set both by NTP');
}

async function version(url: string): Promise<Finding> {
  const answer = await answerAt(`${url}/openapi.json`);
  const body = typeof answer === 'string' ? null : await answer.json().catch(() => null);
  const running = (body as { info?: { version?: string } } | null)?.info?.version ?? 'unknown';
  if (running === VERSION) return ok('version', `${VERSION}, here and there`);
  return warning('version', `this is ${VERSION}, and the service is ${running}`, 'install the same version on both');
}

/** A key that may not read ends in one finding. */
async function asked(name: string, look: () => Promise<readonly Finding[]>): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof WaybillError || error instanceof WaybillUnavailable)) throw error;
    return [warning(name, error.message, 'WAYBILL_API_KEY must name a key that may read')];
  }
}

function readModels(projections: readonly ProjectionView[]): Finding {
  const stopped = projections.filter(({ status }) => status === 'stopped');
  if (stopped.length > 0) {
    const told = stopped.map(({ name, error, stoppedAt }) => `${name} stopped at ${stoppedAt}: ${error}`);
    return fault('read models', told.join('; '), "'waybill projection rebuild NAME' builds one anew");
  }
  const late = projections.filter(({ lagSeconds }) => lagSeconds > LAG_SECONDS);
  if (late.length === 0) return ok('read models', `${plural(projections.length, 'follower')}, none behind`);
  const told = late.map(({ name, lagSeconds }) => `${name} is ${age(lagSeconds * 1_000)} behind`);
  return warning('read models', told.join('; '), "is a process with the role 'projector' running?");
}

async function queues(waybill: Waybill): Promise<Finding> {
  const [alone, all] = [[] as string[], [] as string[]];
  for await (const { queue, unattended } of waybill.queueStats({ internal: false, limit: 500 })) {
    all.push(queue);
    if (unattended) alone.push(queue);
  }
  if (alone.length === 0) return ok('queues', `${plural(all.length, 'queue')}, none without workers that it needs`);
  const more = alone.length > NAMED ? ` and ${alone.length - NAMED} more` : '';
  const says = `tasks wait, and no worker asks for them: ${alone.slice(0, NAMED).join(', ')}${more}`;
  return warning('queues', says, "start their workers; 'waybill workers' lists who is there");
}

function work(system: SystemView): Finding {
  const troubles = [
    told(system.quarantined, 'task that cannot be read', 'tasks that cannot be read'),
    told(system.eventsPutAside, 'event put aside', 'events put aside'),
    told(system.failingItems, 'item that cannot be swept', 'items that cannot be swept'),
    told(system.failingTriggers, 'failing trigger'),
    told(system.failingTargets, 'failing target of deliveries', 'failing targets of deliveries'),
    told(system.refusedOutboxRows, 'refused row of the outbox', 'refused rows of the outbox'),
  ].filter((text) => text !== null);
  if (troubles.length > 0) return warning('work', troubles.join(', '), "'waybill system' names them");
  if (system.state === 'draining') return warning('work', 'the system drains: no task begins', "'waybill resume'");
  return ok('work', 'nothing is stuck');
}

const told = (number: number, one: string, many?: string): string | null =>
  number === 0 ? null : plural(number, one, many);
