/** A bucket of payloads, as its URL says. */
export interface Bucket {
  readonly endpoint: string;
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
}

const USUAL_REGION = 'us-east-1';

/**
 * What `s3://bucket/prefix?region=eu-central-1&endpoint=https://minio.example` names; null if the text is no such URL. Without `endpoint`: that of
 * Amazon in the region.
 */
export function bucketIn(text: string): Bucket | null {
  if (!/^s3:\/\/[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](\/[\w./-]*)?(\?|$)/.test(text) || !URL.canParse(text)) return null;
  const { hostname: bucket, pathname, searchParams } = new URL(text);
  const region = searchParams.get('region') ?? USUAL_REGION;
  const endpoint = searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`;
  if (!/^https?:\/\/[^/?#]+\/?$/.test(endpoint) || !URL.canParse(endpoint)) return null;
  const path = pathname.replace(/^\/|\/$/g, '');
  return { endpoint: endpoint.replace(/\/$/, ''), bucket, prefix: path === '' ? '' : `${path}/`, region };
}
