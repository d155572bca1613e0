import type { QueuePolicy } from '@waybill/client';
import { bytes, rateText, UNITS_OF_TIME, workerLabels } from '@waybill/client/words';
import { plural, whole } from '../ui/numbers.js';

type Of<F extends keyof QueuePolicy> = NonNullable<QueuePolicy[F]>;

/** What a field of a policy says, for people: all of it, but for the schemas and the values of a label beyond a few. */
export function fieldInWords(field: string, value: unknown): string {
  if (value === null) return WITHOUT[field] ?? (/^retention\.|Above[A-Z]/.test(field) ? 'never' : 'none');
  if (field.startsWith('retention.')) return `after ${plural(value as number, 'day')}`;
  const say = SENTENCES[field] as ((value: unknown) => string) | undefined;
  return say ? say(value) : inWords(field, value);
}

/** What null says. */
const WITHOUT: Readonly<Record<string, string>> = {
  'retry.maxAttempts': 'no limit',
  maxLost: 'no limit',
  maxRunMs: 'no limit',
  ttlMs: 'no limit',
  maxRunning: 'no limit',
  rate: 'no limit',
  pauseAfterFailures: 'never',
  expireDays: 'never',
  dueTimes: 'at once',
  commands: 'all',
  vocabulary: 'the standard names',
};

const SENTENCES: Readonly<Record<string, (value: never) => string>> = {
  gather: ({ quietMs, maxMs, payloads }: Of<'gather'>) =>
    `until none has come for ${time(quietMs)}, ${time(maxMs)} at most; ` +
    (payloads === 'all' ? 'the task has a list of all payloads' : 'the task has the payload of the last'),
  'retry.backoff': backoff,
  rate: rateText,
  perLabel,
  fair: ({ label, weights = {} }: Of<'fair'>) =>
    `the values of ${label} in turn` +
    Object.entries(weights)
      .map(([value, turns]) => `; ${value} has ${plural(turns, 'turn')}`)
      .join(''),
  needs: workerLabels,
  concurrency: (value: Of<'concurrency'>) =>
    typeof value === 'string' ? value : `${whole(value.perServer)} on each server`,
  dueTimes: ({ cron, timeZone }: Of<'dueTimes'>) => `${cron}, in the time zone ${timeZone}`,
  priority: ({ from, rules }: Of<'priority'>) =>
    from === 'caller' ? 'as its caller says' : ['the default one', ...rules.map(ruleInWords)].join('; '),
  steps: (steps: Of<'steps'>) => list(steps.map((step) => (typeof step === 'string' ? step : stepInWords(step)))),
  commands: (commands: Of<'commands'>) => list(commands.map(commandInWords)),
  vocabulary: (words: Of<'vocabulary'>) => list(Object.entries(words).map(([state, word]) => `${state} is “${word}”`)),
  payloadSchemas: (schemas: Of<'payloadSchemas'>) =>
    list(
      Object.entries(schemas).map(([kind, schema]) => `${kind}: ${schemaInWords(schema)}`),
      '; ',
    ),
};

const list = (texts: readonly string[], between = ', '): string => texts.join(between) || 'none';

function backoff({ kind, baseMs, factor, capMs, jitter }: Of<'retry'>['backoff']): string {
  const random = jitter === 'full' ? ', or less, at random' : '';
  if (kind === 'fixed') return `${time(baseMs)} after each failure${random}`;
  return `${time(baseMs)} after the first failure, ${factor} times as long after each other, ${time(capMs)} at most${random}`;
}

type Limits = Pick<Of<'perLabel'>, 'maxRunning' | 'rate'>;

/** The page of the queue lists them all. */
const MOST_VALUES = 3;

function perLabel({ label, values = [], ...rest }: Of<'perLabel'>): string {
  const more = values.length - MOST_VALUES;
  return [
    `each value of ${label}: ${limits(rest)}`,
    ...values.slice(0, MOST_VALUES).map(({ value, ...own }) => `${value}: ${limits(own)}`),
    ...(more > 0 ? [`${plural(more, 'other value')} with limits of ${more === 1 ? 'its' : 'their'} own`] : []),
  ].join('; ');
}

const limits = ({ maxRunning, rate }: Limits): string =>
  [...(maxRunning ? [`${whole(maxRunning)} running`] : []), ...(rate ? [rateText(rate)] : [])].join(', ') || 'no limit';

const ruleInWords = (rule: Of<'priority'>['rules'][number]): string =>
  `${rule.add < 0 ? '−' : '+'}${whole(Math.abs(rule.add))} ` +
  ('label' in rule
    ? `with ${rule.label}${rule.value === undefined ? '' : ` = ${rule.value}`}`
    : `in batches of more than ${plural(rule.batchAbove, 'task')}`);

const stepInWords = ({ name, ...rules }: Exclude<Of<'steps'>[number], string>): string =>
  `${name} (${inWords('', rules)})`;

const commandInWords = (offer: Of<'commands'>[number]): string =>
  typeof offer === 'string' ? spaced(offer) : `${spaced(offer.command)} (if ${offer.in.join(' or ')})`;

/** The members of an object, or the type. What else a schema asks for is in its text. */
function schemaInWords(schema: Readonly<Record<string, unknown>>): string {
  const {
    type,
    properties,
    required = [],
  } = schema as {
    readonly type?: unknown;
    readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
    readonly required?: readonly string[];
  };
  const members = Object.entries(properties ?? {}).map(([name, member]) =>
    [name, typeOf(member?.type), required.includes(name) && 'required'].filter(Boolean).join(' '),
  );
  return members.length > 0 ? `an object with ${list(members)}` : typeOf(type) || 'as its schema says';
}

const typeOf = (type: unknown): string =>
  Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : '';

/** Any value: times, sizes and days by the unit that its name ends in. */
function inWords(name: string, value: unknown): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return quantity(name, value);
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return list(value.map((one) => inWords(name, one)));
  return list(Object.entries(value as object).map(([key, one]) => `${spaced(withoutUnit(key))} ${inWords(key, one)}`));
}

function quantity(name: string, value: number): string {
  if (name.endsWith('Ms')) return time(value);
  if (name.endsWith('Seconds')) return time(value * 1_000);
  if (name.endsWith('Days')) return plural(value, 'day');
  return name.endsWith('Bytes') ? bytes(value) : whole(value);
}

const withoutUnit = (name: string): string => name.replace(/(Ms|Seconds|Days|Bytes)$/, '');

/** `maxAttempts` as words. */
const spaced = (name: string): string => name.replace(/(?<=.)[A-Z]/g, ' $&').toLowerCase();

/** To the millisecond, because it is a rule: `1 min 1.5 s`. */
function time(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  let rest = ms;
  const parts: string[] = [];
  for (const [unit, size] of UNITS_OF_TIME) {
    const amount = unit === 's' ? rest / size : Math.floor(rest / size);
    if (amount > 0) parts.push(`${amount} ${unit}`);
    rest -= amount * size;
  }
  return parts.join(' ');
}
