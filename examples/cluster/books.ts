import { appendFile, readFile } from 'node:fs/promises';
import type { Order } from './queues.js';

/** The ledger, as a file with a line for each order. Nothing but the serial queue keeps two servers from writing at the same time. */
export class Books {
  constructor(readonly path: string) {}

  /** Books the order, unless a server did that before it died. */
  async book({ number, amount }: Order): Promise<void> {
    const lines = await this.lines();
    if (!lines.some((line) => line.startsWith(`${number} `))) await appendFile(this.path, `${number} ${amount}\n`);
  }

  async total(): Promise<{ orders: number; total: number }> {
    const amounts = (await this.lines()).map((line) => Number(line.split(' ')[1]));
    return { orders: amounts.length, total: amounts.reduce((sum, amount) => sum + amount, 0) };
  }

  async lines(): Promise<string[]> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    return text.split('\n').filter((line) => line !== '');
  }
}
