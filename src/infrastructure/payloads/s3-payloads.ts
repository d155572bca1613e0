import type { AwsClient } from 'aws4fetch';
import {
  type PayloadPlace,
  PayloadStore,
  PayloadStoreUnavailable,
} from '../../application/kernel/payload-store.port.js';
import { OWNER, pathOf, placeAt } from './payload-path.js';

/** For one call with its repetitions: a worker waits for its task meanwhile, under a lease. */
const ANSWER_MS = 10_000;
/** How often a call is repeated that the server could not serve (5xx, 429). */
const REPETITIONS = 2;

export interface S3Options {
  /** Such as `https://s3.eu-central-1.amazonaws.com`. The bucket is in the path. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Before the name of each object; empty, or with a slash at its end. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Payloads as objects of a bucket, by the API of Amazon S3 (2006-03-01). It needs the calls GetObject, PutObject, DeleteObject, ListObjectsV2 and HeadBucket. */
export class S3Payloads extends PayloadStore {
  private client: Promise<AwsClient> | null = null;

  constructor(private readonly options: S3Options) {
    super();
  }

  /** The server compares the text with its digest, and answers once it is stored for good. */
  async put(place: PayloadPlace, text: string): Promise<void> {
    const headers = { 'x-amz-content-sha256': place.sha256, 'content-type': 'application/json' };
    await this.call(this.urlOf(place), { method: 'PUT', body: text, headers });
  }

  async get(place: PayloadPlace, atMost: number): Promise<Buffer | null> {
    const answer = await this.call(this.urlOf(place), { headers: { range: `bytes=0-${atMost}` } }, GONE);
    if (answer === null) return this.gone();
    if (answer.status === NO_RANGE) return Buffer.alloc(0);
    return Buffer.from(await this.bodyOf(answer, (body) => body.arrayBuffer()));
  }

  async delete(place: PayloadPlace): Promise<void> {
    await this.call(this.urlOf(place), { method: 'DELETE' }, GONE);
  }

  async list(after: PayloadPlace | null, before: string, limit: number): Promise<readonly PayloadPlace[]> {
    const { prefix } = this.options;
    const end = `${prefix}${before}`;
    const places: PayloadPlace[] = [];
    for (let last = after === null ? prefix : `${prefix}${pathOf(after)}`; places.length < limit;) {
      const names = await this.namesAfter(last);
      const due = names.filter((name) => name < end);
      places.push(...due.flatMap((name) => placeAt(name.slice(prefix.length)) ?? []));
      if (due.length < PAGE) break;
      last = names.at(-1)!;
    }
    return places.slice(0, limit);
  }

  async owner(): Promise<string | null> {
    const said = await this.call(this.markUrl, {}, GONE);
    return said && (await this.bodyOf(said, (body) => body.text()));
  }

  async mark(log: string): Promise<void> {
    if ((await this.owner()) === null) await this.call(this.markUrl, { method: 'PUT', body: log });
  }

  async fault(): Promise<string | null> {
    try {
      await this.call(this.bucketUrl, { method: 'HEAD' });
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** A page of them, in the order of their bytes. Nobody but this class writes names that XML would escape. */
  private async namesAfter(last: string): Promise<string[]> {
    const query = new URLSearchParams({ 'list-type': '2', prefix: this.options.prefix, 'start-after': last });
    const answer = await this.call(`${this.bucketUrl}?${query.toString()}`, {});
    const text = await this.bodyOf(answer!, (body) => body.text());
    return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name]) => name!);
  }

  /** A prefix without the mark is that of no store, such as one with a slip of the pen. */
  private async gone(): Promise<null> {
    if ((await this.owner()) === null)
      this.unavailable(new Error(`there is no object '${this.options.prefix}${OWNER}'`));
    return null;
  }

  private get markUrl(): string {
    return `${this.bucketUrl}/${this.options.prefix}${OWNER}`;
  }

  private get bucketUrl(): string {
    return `${this.options.endpoint}/${this.options.bucket}`;
  }

  private urlOf(place: PayloadPlace): string {
    return `${this.bucketUrl}/${this.options.prefix}${pathOf(place)}`;
  }

  /** Null if the answer has the code `absent`. */
  private async call(url: string, init: RequestInit, absent?: string): Promise<Response | null> {
    const client = await (this.client ??= clientOf(this.options));
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await client.fetch(url, { ...init, signal }).catch((error: unknown) => this.unavailable(error));
    if (answer.ok || answer.status === NO_RANGE) return answer;
    const text = await this.bodyOf(answer, (body) => body.text());
    const code = /<Code>([^<]*)<\/Code>/.exec(text)?.[1];
    if (absent !== undefined && code === absent) return null;
    return this.unavailable(new Error(`it answered ${answer.status} ${code ?? ''}`.trim()));
  }

  private bodyOf<T>(answer: Response, read: (answer: Response) => Promise<T>): Promise<T> {
    return read(answer).catch((error: unknown) => this.unavailable(error));
  }

  /** `fetch` says only that it failed; its cause says why. */
  private unavailable(error: unknown): never {
    const { message, cause } = error as Error;
    const because = cause instanceof Error ? `${message}: ${cause.message}` : message;
    throw new PayloadStoreUnavailable(`${this.bucketUrl}: ${because}`, { cause: error });
  }
}

/** As many names as the server lists at once, unless it is asked for fewer. */
const PAGE = 1_000;
const GONE = 'NoSuchKey';
/** The object has no byte of the range, so it is empty. */
const NO_RANGE = 416;

/** Loaded by services that use it. */
async function clientOf({ accessKeyId, secretAccessKey, sessionToken, region }: S3Options): Promise<AwsClient> {
  const { AwsClient } = await import('aws4fetch');
  return new AwsClient({ accessKeyId, secretAccessKey, sessionToken, region, service: 's3', retries: REPETITIONS });
}
