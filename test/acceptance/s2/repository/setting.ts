import { expect } from '@jest/globals';
import type { BatchHandle, TaskHandle, Worker } from '@waybill/client';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { folderOf, type Job, type JobOrder, jobIn, type Repository } from '../../../../examples/repository/job.js';
import {
  type EzidServer,
  type FileServer,
  type LocalServer,
  serve,
  serveEzid,
  serveFiles,
} from '../../../../examples/repository/local-servers.js';
import type { PayloadKind } from '../../../../examples/repository/manifests.js';
import { DEDICATED, defineRepository, STORAGE, SUBMISSIONS } from '../../../../examples/repository/queues.js';
import { type OwnStep, type StepRun, steps } from '../../../../examples/repository/steps.js';
import { type Deposit, planWith, type PlanRules, submit } from '../../../../examples/repository/submissions.js';
import { tidyUp } from '../../../../examples/repository/tidy-up.js';
import { repositoryWorker, workerOf } from '../../../../examples/repository/workers.js';
import { type RunningService, startService } from '../../../support/running-service.js';
import { until } from '../../../support/until.js';

export type TaskView = Awaited<ReturnType<TaskHandle['get']>>;
export type BatchView = Awaited<ReturnType<BatchHandle['get']>>;

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const manifestOf = (profile: string, ...lines: readonly string[]): string =>
  ['#%checkm_0.7', `#%profile | http://uc3.cdlib.org/registry/ingest/manifest/${profile}`, ...lines, '#%eof', ''].join(
    '\n',
  );
export const objectOf = (...lines: readonly string[]): string => manifestOf('mrt-ingest-manifest', ...lines);
export const jobsOf = (...lines: readonly string[]): string => manifestOf('mrt-single-file-batch-manifest', ...lines);

export const pathIn = (line: string): string => new URL(line.split(' ')[0]!).pathname;
export const fileIn = (line: string) => {
  const [url, type, value, , , name] = line.split('|').map((cell) => cell.trim());
  return { url: url!, name: name!, digest: type ? { type, value: value! } : null };
};

/** A job as its steps get it, which no service knows. */
export const job = (order: Partial<JobOrder>): Job => ({
  id: randomUUID(),
  data: { spaceNeeded: 0, inaccurate: false, ark: null, stored: null },
  lastSuccessfulStep: null,
  profile: 'ucb_maps',
  batch: randomUUID(),
  submitter: 'ann',
  updateStatus: 'new',
  resourceToProvision: STORAGE,
  folder: 'job-0',
  payloadType: 'object',
  payloadUrl: 'http://127.0.0.1/payload',
  digest: null,
  files: [],
  localId: null,
  ark: null,
  creator: null,
  title: null,
  date: null,
  ...order,
});

interface Servers {
  readonly files: FileServer;
  readonly ezid: EzidServer;
  readonly storage: LocalServer;
  readonly callbacks: LocalServer;
}

/** For workers that a test waits for when they stop. */
const SOON = { waitMs: 1_000, graceMs: 1_000 };

/** The repository with all that is around it: the service, and servers whose answers tests choose. */
export class Setting {
  stored: string[] = [];
  /** What each object's manifest said, in the order of `stored`. */
  manifests: string[] = [];
  storageAnswer = 200;
  called: string[] = [];
  callbackAnswer = 200;
  private stopping = new AbortController();
  private readonly running: Promise<unknown>[] = [];
  private readonly workers: Worker[] = [];

  private constructor(
    readonly service: RunningService,
    private readonly servers: Servers,
    readonly at: Repository,
  ) {}

  static async start(): Promise<Setting> {
    let setting: Setting | undefined;
    const service = await startService();
    const [files, ezid] = [await serveFiles(), await serveEzid()];
    const storage = await serve((request, response) => {
      void text(request).then((manifest) => {
        setting!.stored.push(decodeURIComponent(request.url!.slice(1)));
        setting!.manifests.push(manifest);
        response.writeHead(setting!.storageAnswer).end();
      });
    });
    const callbacks = await serve((request, response) => {
      request.on('data', (body: Buffer) => setting!.called.push(String(body)));
      request.on('end', () => response.writeHead(setting!.callbackAnswer).end());
    });
    const at: Repository = {
      root: await mkdtemp(join(tmpdir(), 'repository-')),
      ezid: { url: ezid.url, shoulder: 'ark:/99999/fk4' },
      storage: storage.url,
      callback: callbacks.url,
      arkOf: async (localId) => (localId === 'known-1' ? 'ark:/99999/fk4known' : null),
      headMs: 1_000,
    };
    await defineRepository(service.waybill);
    return (setting = new Setting(service, { files, ezid, storage, callbacks }, at));
  }

  async stop(): Promise<void> {
    await Promise.all(Object.values(this.servers).map((server: LocalServer) => server.stop()));
    await this.service.stop();
    await rm(this.at.root, { recursive: true, force: true });
  }

  get files(): FileServer {
    return this.servers.files;
  }

  get identifiers(): readonly string[] {
    return [...this.servers.ezid.identifiers.keys()];
  }

  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Before each test. */
  async begin(): Promise<void> {
    this.stopping = new AbortController();
    [this.stored, this.manifests, this.called, this.storageAnswer, this.callbackAnswer] = [[], [], [], 200, 200];
    this.files.requests.length = 0;
    await this.service.waybill.resources.measure(STORAGE, 10);
    await this.service.waybill.resources.measure(DEDICATED, 0);
  }

  /** After each test: stops all workers. */
  async end(): Promise<void> {
    this.stopping.abort();
    await Promise.allSettled([...this.running.splice(0), ...this.workers.splice(0).map((worker) => worker.stop())]);
  }

  /** A line of a manifest for a file that the server has; with its digest if it is to be checked. */
  remote(name: string, text: string | null = `content of ${name}`, digest?: string): string {
    const path = `/${randomUUID()}/${name}`;
    if (text !== null) this.files.files.set(path, text);
    return `${this.files.url}${path} | ${digest === undefined ? '' : 'sha256'} | ${digest ?? ''} | | | ${name}`;
  }

  deposit(text: string, more: Partial<Deposit> = {}): Deposit {
    return {
      id: randomUUID(),
      profile: 'ucb_maps',
      submitter: 'ann',
      fileName: 'payload.checkm',
      payload: Buffer.from(text),
      url: `${this.files.url}/payload`,
      ...more,
    };
  }

  submitted(
    given: Deposit,
    more: { mostBytes?: number; kinds?: readonly PayloadKind[] | undefined } = {},
  ): Promise<BatchHandle> {
    const { mostBytes = 1_000, kinds } = more;
    return submit(this.service.waybill, given, { root: this.at.root, mostBytes, ...(kinds && { kinds }) });
  }

  /** The submission once a planner has made its jobs, or has failed. */
  async planned(given: Deposit, more: Partial<PlanRules> = {}): Promise<{ batch: BatchView; jobs: TaskView[] }> {
    const batch = await this.submitted(given, more);
    const worker = this.service.waybill.worker({ logger: null, waitMs: 50 });
    worker.plan(SUBMISSIONS, planWith({ root: this.at.root, folders: 'first-step', ...more }));
    await worker.start();
    const view = await until('the plan', async () => {
      const seen = await batch.get();
      return seen.state === 'planning' && seen.error === null ? null : seen;
    });
    await worker.stop();
    return { batch: view, jobs: await this.jobsOf(given) };
  }

  async jobsOf({ id }: { readonly id: string }): Promise<TaskView[]> {
    const { items } = await this.service.waybill.tasks.page({ batch: id });
    return Promise.all(items.map((item) => this.service.waybill.task(item.id).get()));
  }

  /** A job by its reference. */
  async jobNamed(batch: { readonly id: string }, name: string): Promise<TaskView> {
    return (await this.jobsOf(batch)).find(({ reference }) => reference === name)!;
  }

  view(id: string): Promise<TaskView> {
    return this.service.waybill.task(id).get();
  }

  /** The repository works; with `inventory`, so does the other service. */
  async works({ inventory = true } = {}): Promise<void> {
    await this.starts(repositoryWorker(this.service.waybill, this.at, { ...SOON, name: 'repository' }));
    if (inventory) await this.records(async () => undefined);
  }

  /** The other service works. */
  records(act: (run: StepRun) => Promise<unknown>): Promise<void> {
    const acts = { Recording: async (run: StepRun) => (await act(run), {}) };
    return this.starts(workerOf(this.service.waybill, acts, { ...SOON, name: 'inventory' }));
  }

  /** The repository works at one step only, until the job is beyond it. */
  async worksAt(step: OwnStep, id: string): Promise<TaskView> {
    const acts = { [step]: (run: StepRun) => steps[step](run, this.at) };
    const worker = workerOf(this.service.waybill, acts, { ...SOON, name: 'repository' });
    await worker.start();
    const view = await until(`the job to be beyond ${step}`, async () => {
      const seen = await this.view(id);
      return seen.step !== null && seen.step !== step ? seen : null;
    });
    await worker.stop();
    return view;
  }

  tidies(): void {
    this.running.push(tidyUp(this.service.waybill, this.at, this.signal));
  }

  becomes(id: string, state: string): Promise<TaskView> {
    return until(`the job to be ${state}`, async () => {
      const view = await this.view(id);
      return view.state === state ? view : null;
    });
  }

  /** Runs steps of a job without a service. Returns the job with what they recorded, also before they failed. */
  async run(given: Job, ...names: readonly OwnStep[]): Promise<Job & { readonly error?: unknown }> {
    let now = given;
    const keep = (data: object = {}) => void (now = { ...now, data: { ...now.data, ...data } });
    for (const name of names) {
      const run: StepRun = { job: now, signal: this.signal, record: async (data) => keep(data) };
      try {
        const { data, mark } = await steps[name](run, this.at);
        keep(data);
        if (mark !== false) now = { ...now, lastSuccessfulStep: name };
      } catch (error) {
        return { ...now, error };
      }
    }
    return now;
  }

  folderOf(view: TaskView) {
    return folderOf(this.at, jobIn(view));
  }

  private async starts(worker: Worker): Promise<void> {
    this.workers.push(worker);
    await worker.start();
  }
}

/** The error of the job, if a step of it failed. */
export const errorOf = ({ error }: { readonly error?: unknown }): string => (error as Error | undefined)?.message ?? '';

export const expectNoError = (ran: { readonly error?: unknown }): void => expect(ran.error).toBeUndefined();
