import { describe, expect, it } from '@jest/globals';
import { createWaybill, type Waybill } from '@waybill/client';
import type { Command } from 'commander';
import { execFileSync } from 'node:child_process';
import { runInNewContext } from 'node:vm';
import { Readable } from 'node:stream';
import { grammarFor } from '../../../packages/cli/src/program.js';
import type { Action, Typed } from '../../../packages/dashboard/src/actions/action.js';
import { callText } from '../../../packages/dashboard/src/actions/call-text.js';
import { curlText } from '../../../packages/dashboard/src/actions/curl-text.js';
import { quoted } from '../../../packages/dashboard/src/actions/quoted.js';
import { changeField, EXAMPLES } from '../../../packages/dashboard/src/queues/policy-actions.js';
import { BULK_COMMANDS } from '../../../packages/dashboard/src/tasks/bulk-commands.js';
import { bulkText } from '../../../packages/dashboard/src/tasks/bulk-text.js';
import { ALL, POLICIED, typedFor } from '../../../packages/dashboard/test/every-action.js';
import { wrongIn } from '../../support/wrong-requests.js';

/** Commands that have another place than a dialog of their own, or none, and why. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'trigger schedule': "a short form of 'trigger define' with a pattern, which the page has",
  deliver: 'sends a message for a program; what becomes of deliveries is on the pages of batches and triggers',
};

/** Orders for which the service records no reason. All others take one, and what takes none only reads. */
const WITHOUT_REASON: readonly string[] = ['enqueue', 'resource measure'];

/** Options of all commands, and those by which a terminal does without a dialog. */
const OF_TERMINALS = /^--(reason|agent|actor|url|json|utc|preview|yes|quiet|as-previewed|filter)$/;

/** Options that no page has, and where to find what they do. */
const NO_FIELD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'task retry': { '--within': 'a program says another time than ten minutes' },
  'task release': { '--within': 'a program says another time than ten minutes' },
  'task run-again': { '--per-second': 'a terminal runs many again; the page runs one' },
  'queue pause': { '--wait': 'the page of the queue shows how many of its tasks run' },
  'queue define': { '--replace': 'the page of the policy changes it, and shows what that changes' },
  'batch create': { '--id': 'for programs that try again' },
  drain: { '--wait': 'every page shows how many tasks still run' },
  'log accept-loss': { '--size': 'the page shows the loss that is accepted' },
  'log new-key': { '--log': 'the page shows the log whose key is retired' },
  enqueue: {
    '--ttl': 'a program says it',
    '--expires-at': 'a program says it',
    '--after-batch': "'Change what it waits for' on the page of the task",
    '--audit-context': "the entry of a program's own audit log",
    '--payload-sha256': 'a program has the digest of a payload that it got from elsewhere',
    '--data': "'Change data' on the page of the task",
    '--step': 'a program says which steps a task has',
    '--wait': 'the page of the task shows its end',
  },
};

const nowhere = { write: () => true };

/** The command line, which does nothing but say which of its commands it was given. */
function program(given: (name: string) => void): Command {
  const whole = grammarFor({ stdin: Readable.from([]), stdout: nowhere as never, stderr: nowhere, env: {} });
  for (const leaf of leavesOf(whole)) leaf.action(() => given(nameOf(leaf)));
  return whole;
}

const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();

/** The words of a command as a shell takes them apart. */
const wordsOf = (text: string): string[] =>
  execFileSync('sh', ['-c', String.raw`printf '%s\0' ` + text], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

/** Which command of the command line a text is; throws what its parser says if it is none. */
function parsed(text: string): string {
  let name = '';
  program((one) => (name = one)).parse(['node', ...wordsOf(text)]);
  return name;
}

const REASON = "the provider's disk is full";

/** The text that the dialog shows, with the reason that somebody typed. */
function terminalText({ cli, takesNoReason, ...action }: Action, choices: Typed = {}): string {
  const text = typeof cli === 'string' ? cli : cli({ ...typedFor({ cli, ...action }), ...choices });
  return takesNoReason ? text : `${text} --reason ${quoted(REASON)}`;
}

/** The texts for every choice that a dialog offers. */
const textsOf = (action: Action): string[] => [
  terminalText(action),
  ...(action.fields ?? []).flatMap(({ name, choices = [] }) =>
    choices.map((choice) => terminalText(action, { [name]: choice })),
  ),
];

const give =
  (action: Action) =>
  (waybill: Waybill): Promise<unknown> =>
    action.run(waybill, action.takesNoReason ? undefined : REASON, typedFor(action));

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Undefined if there is none. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

function sentTo(method: string, url: string, body: string | undefined): Sent {
  const { pathname: path, search: query } = new URL(url);
  return { method, path, query, body: body === undefined ? undefined : JSON.parse(body) };
}

/** The request that a call makes. Nothing is sent. */
async function sentBy(call: (waybill: Waybill) => unknown): Promise<Sent> {
  let sent: Sent | undefined;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    sent ??= sentTo(init!.method!, String(input), init?.body as string | undefined);
    throw new Error('Nothing is sent');
  };
  const waybill = createWaybill({ url: 'http://waybill', fetch, retry: { attempts: 1 } });
  await Promise.resolve(call(waybill)).catch(() => undefined);
  return sent!;
}

/** The client makes the id of what is made. */
const withoutId = ({ body, ...sent }: Sent) => ({ ...sent, body: body && { ...body, id: undefined } });

const EVERY = ALL.map((action) => [action.name, action] as const);

describe('D-18 each dialog shows the same command elsewhere:', () => {
  it.each(EVERY)('%s for a terminal, which its parser takes', (_, action) => {
    expect(leavesOf(program(() => undefined)).map(nameOf)).toContain(parsed(terminalText(action)));
  });

  it.each(EVERY)('%s for curl, with a body of its schema', async (_, action) => {
    const text = await curlText('http://waybill', 'ann', give(action));
    const [curl, , method, url, ...rest] = wordsOf(text.replaceAll('\\\n', ' '));
    const sent = sentTo(method!, url!, rest.at(-2) === '-d' ? rest.at(-1) : undefined);
    expect([curl, wrongIn(sent)]).toEqual(['curl', null]);
    expect(withoutId(sent)).toEqual(withoutId(await sentBy(give(action))));
    if (!action.takesNoReason) expect(JSON.stringify(sent)).toMatch(/disk(\+|%20| )is(\+|%20| )full/);
  });

  it.each(EVERY)('%s for a program, which makes the same request', async (_, action) => {
    const program = `(async () => { ${callText(give(action))} })()`;
    const sent = await sentBy((waybill) => runInNewContext(program, { waybill, Date }));
    expect(withoutId(sent)).toEqual(withoutId(await sentBy(give(action))));
  });
});

describe('what a dialog shows of a field of a policy that is null', () => {
  it.each(Object.entries(EXAMPLES))('D-18 is something that %s may be', async (field, example) => {
    const change = changeField(POLICIED, { field, value: null, isDefault: true, setBy: null });
    expect(JSON.parse(change.fields![0]!.placeholder!)).toEqual(example);
    const sent = await sentBy((waybill) => change.run(waybill, REASON, { value: JSON.stringify(example) }));
    expect([sent.path, wrongIn(sent)]).toEqual(['/v1/queues/mail/policy', null]);
  });
});

/** What the dialog of a command to all tasks that a search finds shows. */
const BULK_TEXTS = BULK_COMMANDS.map((of) =>
  bulkText(
    of,
    { filter: { q: 'queue:mail state:failed' } },
    {
      reason: REASON,
      perSecond: 5,
      ...(of.hasPriority && { priority: 7 }),
      ...(['retry', 'release'].includes(of.command) && { canary: { first: 5, goOnIf: 0.8 } }),
    },
  ),
);

describe('everything that the command line can do has its place on a page:', () => {
  const leaves = leavesOf(program(() => undefined));
  const texts = [...ALL.flatMap(textsOf), ...BULK_TEXTS].map((text) => ({ text, name: parsed(text) }));
  const here = new Set(texts.map(({ name }) => name));

  it('D-18 every command that orders something', () => {
    const isOrder = (leaf: Command): boolean =>
      leaf.options.some(({ long }) => long === '--reason') || WITHOUT_REASON.includes(nameOf(leaf));
    const orders = leaves.filter(isOrder).map(nameOf);
    expect(orders.filter((name) => !here.has(name) && !(name in ELSEWHERE))).toEqual([]);
    expect([...here].filter((name) => !orders.includes(name) || name in ELSEWHERE)).toEqual([]);
  });

  it('D-18 every option of theirs', () => {
    const missing = leaves
      .filter((leaf) => here.has(nameOf(leaf)))
      .flatMap((leaf) => {
        const said = texts.filter(({ name }) => name === nameOf(leaf)).map(({ text }) => text);
        const known = NO_FIELD[nameOf(leaf)] ?? {};
        return leaf.options
          .map(({ long }) => long!)
          .filter(
            (long) => !OF_TERMINALS.test(long) && !(long in known) && !said.some((text) => text.includes(` ${long}`)),
          )
          .map((long) => `${nameOf(leaf)} ${long}`);
      });
    expect(missing).toEqual([]);
  });
});
