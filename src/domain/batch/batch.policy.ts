/** Where a batch is. As long as a task plans it, that task's progress is the batch's. */
export const BATCH_PHASES = [
  'planning',
  'pending',
  'held',
  'processing',
  'running',
  'completed',
  'failed',
  'reporting',
  'aborted',
  'deleted',
] as const;

export type BatchPhase = (typeof BATCH_PHASES)[number];

/** The commands that a batch's policy may leave out. `ReleaseBatch` releases the task that plans it. */
export const OFFERABLE_BATCH_COMMANDS = [
  'OpenBatch',
  'ReleaseBatch',
  'RequestReport',
  'RerunBatch',
  'AbortBatch',
  'DeleteBatch',
] as const;

export type OfferableBatchCommand = (typeof OFFERABLE_BATCH_COMMANDS)[number];

/** How runs of failed tasks are reported that follow the end of their batch. */
export const RERUN_REPORTING = ['auto', 'update', 'own', 'rerun-batch'] as const;

/**
 * `auto`: once all tasks have ended again, the batch ends again and reports what has changed. `update`: only when somebody
 * asks for it. `own`: each task that ends again is reported by itself. `rerun-batch`: failed tasks are run again in a batch
 * of their own, which reports like any other.
 */
export type RerunReporting = (typeof RERUN_REPORTING)[number];

/** What a batch keeps of the rules under which it was created. Absent members mean `auto`, Waybill's words, every command. */
export interface BatchPolicy {
  readonly preset?: string;
  readonly vocabulary?: Readonly<Record<BatchPhase, string>>;
  readonly commands?: readonly BatchOffer[];
  readonly reRunReporting?: RerunReporting;
}

/** A command that is offered in every phase of a batch, or only in the listed ones. */
export type BatchOffer =
  | OfferableBatchCommand
  | { readonly command: OfferableBatchCommand; readonly in: readonly BatchPhase[] };

/** Who is told what a batch reports. */
export interface ReportTarget {
  readonly mail?: readonly string[];
  readonly webhook?: { readonly url: string; readonly secret: string };
}

export const rerunReportingOf = ({ policy }: { readonly policy?: BatchPolicy }): RerunReporting =>
  policy?.reRunReporting ?? 'auto';

/** Whether the batch's policy offers the command in this phase. */
export const isOffered = (
  command: OfferableBatchCommand,
  phase: BatchPhase,
  offers: readonly BatchOffer[] | null | undefined,
): boolean =>
  offers == null ||
  offers.some((offer) =>
    typeof offer === 'string' ? offer === command : offer.command === command && offer.in.includes(phase),
  );
