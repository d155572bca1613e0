import { createWaybill, type Waybill } from '@waybill/client';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type demoConfig, type Service, startService } from '../demo/service.js';
import { WorkerProcesses } from '../demo/workers.js';
import type { Cluster } from './month.js';

const SERVERS = 3;

/** A service in this process, and the cluster's servers as processes. */
export class LocalCluster implements Cluster {
  readonly waybill: Waybill;
  private servers: WorkerProcesses | null = null;

  private constructor(
    private readonly service: Service,
    private readonly args: readonly string[],
  ) {
    this.waybill = createWaybill({ url: service.url, actor: 'shop' });
  }

  /** `books`: the path of the ledger's file. */
  static async open(config: ReturnType<typeof demoConfig>, month: string, books: string): Promise<LocalCluster> {
    return new LocalCluster(await startService(config), ['--month', month, '--books', books]);
  }

  get url(): string {
    return this.service.url;
  }

  async startServers(): Promise<void> {
    const program = fileURLToPath(new URL('worker.js', import.meta.url));
    this.servers = await WorkerProcesses.start({ title: 'server', program, args: this.args }, SERVERS, this.service);
  }

  async kill(server: string): Promise<void> {
    const { child } = this.servers!.processes.find(({ name }) => name === server)!;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    await this.servers?.stop();
    await this.service.stop();
  }
}
