/** A metric as the registry of `/metrics` tells it. */
export interface ToldMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  /** Of a histogram one for each bucket, sum and count, told apart by their `metricName`. */
  readonly values: readonly ToldValue[];
}

export interface ToldValue {
  readonly metricName?: string | undefined;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  readonly value: number;
}

/** Metrics that have counted since the same moment. */
export interface ToldMetrics {
  readonly since: Date;
  readonly metrics: readonly ToldMetric[];
}

/** Sends metrics elsewhere. Provided only if they are exported somewhere. */
export abstract class MetricsExport {
  /** How often. */
  abstract readonly everyMs: number;
  /** How long one round may take, with what it reads. */
  abstract readonly withinMs: number;

  /** Rejects if they were not taken. */
  abstract send(told: readonly ToldMetrics[]): Promise<void>;
}
