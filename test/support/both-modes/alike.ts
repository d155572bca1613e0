import type { Played } from './player.js';

const STEP_MS = 600_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** The number of a fencing token. Postgres draws more of them than it gives out. */
const TOKEN = /\b\d+\.(?=[0-9a-f]{8}-)/g;

const POSITION = /position|cursor|^head$/i;
const DURATION = /(ms|seconds(_total)?)(\{.*)?$/i;
/** The parts of a duration that many have added up to. */
const PART = /^(total|max)$/;

/**
 * Documented: with the events elsewhere there are two more roles, nobody counts the events that a follower lacks, and
 * their store has a version.
 */
const DIFFERS = /dispatch-index|reservation-cleaner|^eventStoreVersion$|^lagEvents$|^waybill_projection_lag_events/;
/** And buckets of milliseconds. */
const OF_THE_PROCESS =
  /^(process_|nodejs_|waybill_request_seconds|waybill_room_used_ratio|waybill_(task_wait|attempt)_seconds_)/;
/** Written down now and then, so it may not be there yet. */
const NOW_AND_THEN = /^(lastPolledAt|lastUsedAt|lastPassAt|workedAt|responseTime)$/;
/** What a slow machine leaves for more than a minute is unattended, and its workers are gone. */
const AFTER_A_MINUTE = /^(unattended|waybill_queue_unattended(\{.*)?)$/;
const ATTENDANCE = /^(QueueUnattended|QueueAttended|unattended)$/;
/** What an answer as of a moment names until the log has told whether the queue is attended. */
const UNTOLD_BY_THEN = /^(lastPolledAt|unattended)$/;
const PRESENCE = /^(alive|gone)$/;
/** Waits of milliseconds, split where other tasks of the queue happened to be claimed: `wait.spec` looks at them in both modes. */
const BY_CHANCE = /^(sums|intervals)$/;

/**
 * Makes the answers of services comparable that were given the same commands: ids become numbers in the order in which
 * they appear, and positions become one word. Times and durations keep their steps of ten minutes, from `start` on, so that
 * null, nothing and a long time differ. A time of the calendar, such as the next occurrence of a trigger, is the same for both: it stays as it is,
 * because its distance depends on when each of them started.
 */
export class Alike {
  private readonly ids = new Map<string, string>();

  constructor(private readonly start: number) {}

  of(played: readonly Played[]): readonly Played[] {
    return played.map(({ what, answer }) => ({ what: this.text(what), answer: this.value(answer, '') }));
  }

  private value(value: unknown, name: string): unknown {
    if (Array.isArray(value)) return value.filter(isCompared).map((one) => this.value(one, name));
    if (value !== null && typeof value === 'object')
      return Object.fromEntries(
        byName(value).map(([key, one]) => [this.text(key), this.value(one, PART.test(key) ? name : key)]),
      );
    if (typeof value === 'number') return DURATION.test(name) ? Math.round(value / stepOf(name)) : value;
    if (typeof value !== 'string') return value;
    if (POSITION.test(name)) return 'position';
    if (name === 'token') return 'token';
    if (name === 'state' && PRESENCE.test(value)) return 'alive or gone';
    return TIME.test(value) ? this.time(Date.parse(value)) : this.text(value);
  }

  private time(ms: number): string {
    const away = Math.abs(ms - this.start);
    if (away > 10 * 365 * DAY_MS) return 'far';
    // One of the services may have begun in the hour before.
    if (away < 2 * HOUR_MS && ms % HOUR_MS === 0) return 'an hour';
    if (away > DAY_MS && ms % MINUTE_MS === 0) return new Date(ms).toISOString();
    return `${Math.round((ms - this.start) / STEP_MS)}`;
  }

  private text(text: string): string {
    return text.replace(TOKEN, 'token ').replace(UUID, (id) => {
      if (!this.ids.has(id)) this.ids.set(id, `id ${this.ids.size + 1}`);
      return this.ids.get(id)!;
    });
  }
}

const stepOf = (name: string): number => (/seconds/i.test(name) ? STEP_MS / 1_000 : STEP_MS);

/** One look of the sweeper may find what two find in the other service. */
const isOfOneLook = (value: object, name: string): boolean =>
  name === 'correlationId' && 'actor' in value && value.actor === 'sweeper';

/** `why` names the step that no worker asks for once nobody has asked for a minute. */
const isOfAMinute = (value: object, name: string): boolean =>
  name === 'step' && 'because' in value && value.because === 'worker';

const byName = (value: object): [string, unknown][] =>
  Object.entries(value)
    .filter(([name]) => !isOfOneLook(value, name) && !isOfAMinute(value, name))
    .filter(
      ([name]) => ![DIFFERS, OF_THE_PROCESS, NOW_AND_THEN, AFTER_A_MINUTE, BY_CHANCE].some((left) => left.test(name)),
    )
    .sort(([one], [other]) => (one < other ? -1 : 1));

/** Followers and roles are listed by name, events by type, and what a task waits for by its reason. */
const isCompared = (item: unknown): boolean => {
  if (typeof item === 'string') return !UNTOLD_BY_THEN.test(item);
  const { name = '', role = '', type = '', because = '' } = (item ?? {}) as Readonly<Record<string, string>>;
  return !DIFFERS.test(name) && !DIFFERS.test(role) && !ATTENDANCE.test(type) && !ATTENDANCE.test(because);
};
