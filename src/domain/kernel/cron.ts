/** The times at which a pattern of five parts occurs by the clocks of a time zone. */
export interface CronPattern {
  readonly cron: string;
  /** The IANA name. */
  readonly timeZone: string;
}

/** The pattern or the time zone is invalid, or the pattern never occurs. */
export interface CronRejection {
  readonly code: 'CRON_INVALID';
  readonly cron: string;
  readonly reason: string;
}
