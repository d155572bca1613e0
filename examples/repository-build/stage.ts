import { createWaybill, type Waybill } from '@waybill/client';
import { fileURLToPath } from 'node:url';
import { demoConfig, type Service, startService } from '../demo/service.js';
import { WorkerProcesses } from '../demo/workers.js';
import type { Stage } from './build.js';
import { QUEUE } from './plan.js';

const BUILDER = { title: 'builder', program: fileURLToPath(new URL('worker.js', import.meta.url)) };

/** One for each core of a small machine. */
const WORKERS = 2;

type StageConfig = ReturnType<typeof demoConfig>;

/** A service in this process with a database of its own, because a drain stops everything, and two worker processes. */
export class LocalStage implements Stage {
  waybill: Waybill;
  private workers: WorkerProcesses | null = null;

  private constructor(
    private readonly config: StageConfig,
    private service: Service,
  ) {
    this.waybill = clientOf(service);
  }

  static async open(config: StageConfig): Promise<LocalStage> {
    const stage = new LocalStage(config, await startService(config));
    await stage.clearAway();
    return stage;
  }

  get url(): string {
    return this.service.url;
  }

  /** What an interrupted run left: its drain, and builds whose folders may be gone. */
  private async clearAway(): Promise<void> {
    if ((await this.waybill.system.get()).state === 'draining') await this.waybill.system.resume({ stopped: false });
    for await (const { id } of this.waybill.batches({ state: 'running' }))
      await this.waybill.batch(id).abort({ reason: `A new build in '${QUEUE}' began` });
  }

  async startWorkers(): Promise<void> {
    this.workers = await WorkerProcesses.start(BUILDER, WORKERS, this.service);
  }

  async stopWorkers(): Promise<void> {
    await this.workers?.stop();
    this.workers = null;
  }

  async restartService(): Promise<void> {
    await this.service.stop();
    this.service = await startService(this.config);
    this.waybill = clientOf(this.service);
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.service.stop();
  }
}

const clientOf = ({ url }: Service): Waybill => createWaybill({ url, actor: 'builder' });
