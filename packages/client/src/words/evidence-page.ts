import type { TaskProof } from '@waybill/contracts';
import { type Evidence, evidenceElement } from './evidence.js';
import { EVIDENCE_STYLE } from './evidence-style.js';
import { plural } from './numbers.js';
import { type ProvenView, provenEvents } from './proven-events.js';
import { sealIn } from './seal-in.js';
import { harmless } from './texts.js';

// FORMAT, fixed for ever as the version of the evidence is (ADR 216): `waybill verify` makes each page again and compares it, also in years. So the page has
// no words of its own for events, and nothing here follows what lists or terminals say. Another page is another version, beside this one.

/**
 * A page for people, in one file: it needs no network and no script. It follows from the evidence alone, so whoever makes it again can
 * tell whether somebody has changed what it shows. Throws if a part of a proof has not the form of one.
 */
export function evidencePage(evidence: Evidence): string {
  const { about, madeAt } = evidence;
  const title = `Evidence of ${KINDS[about.kind]} ${about.id}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${safe(title)}</title>
<style>${EVIDENCE_STYLE}</style>
</head>
<body>
<header>
<p>Evidence from Waybill, made ${timeOf(madeAt)}</p>
<h1>${KINDS[about.kind]} <code>${safe(about.id)}</code></h1>
</header>
<main>
${summaryOf(evidence)}
${evidence.proofs.map((proof) => taskOf(proof, about.kind !== 'task')).join('\n')}
${saidOf(evidence)}
${VERIFY}
</main>
${evidenceElement(evidence)}
</body>
</html>
`;
}

const KINDS = { task: 'Task', batch: 'Batch', group: 'Failure group' } as const;

function summaryOf(evidence: Evidence): string {
  const { about, proofs, tasks } = evidence;
  const events = proofs.reduce((sum, proof) => sum + provenEvents(proof).length, 0);
  const { log, size, witnesses } = sealIn(proofs);
  const shown = `the ${plural(events, 'event')}${about.kind === 'task' ? '' : ` of ${plural(proofs.length, 'task')}`} below`;
  const cosigned =
    witnesses.length === 0
      ? ''
      : ` The seal names as witnesses: ${safe(witnesses.join(', '))}. The command below does not check that they signed it.`;
  return `<section class="proves">
<div><h2>What this proves, once you have verified it</h2>
<ul>
<li>That ${shown} stand in the log <b>${safe(log)}</b> in this order, and that nobody has changed them since it was sealed, when it had ${plural(size, 'entry', 'entries')}.</li>
<li>That no event of ${about.kind === 'task' ? 'the task' : 'such a task'} is left out before the last one shown.</li>
</ul></div>
<div><h2>What it does not prove</h2>
<ul>
<li>That nothing happened afterwards. For that, ask for a new page.</li>
<li>That what was recorded is true. The log has what people and workers told Waybill.</li>
<li>When this page was made, or when the log was sealed.${cosigned}</li>
${about.kind === 'task' ? '' : `<li>That these are all tasks of the ${KINDS[about.kind].toLowerCase()}, ${LACKS[about.kind]}</li>`}
</ul></div>
${leftOutOf(tasks, proofs)}
</section>`;
}

const LACKS = {
  batch: 'although each of these says that it is one.',
  group: 'or that each of these is one.',
} as const;

function leftOutOf(tasks: number, proofs: readonly TaskProof[]): string {
  const cut = proofs.filter(({ truncated }) => truncated).length;
  const texts = [
    ...(tasks > proofs.length ? [`The page has the first ${proofs.length} of ${plural(tasks, 'task')}.`] : []),
    ...(cut > 0 ? [`Of ${plural(cut, 'task')}, it has the first events only.`] : []),
  ];
  return texts.length === 0 ? '' : `<p class="left-out">Left out: ${texts.join(' ')}</p>`;
}

function taskOf(proof: TaskProof, isNamed: boolean): string {
  const title = isNamed ? `Task <code>${safe(proof.task)}</code>` : 'What happened';
  return `<section><h2>${title}</h2>
<ol>${provenEvents(proof).map(eventOf).join('')}</ol></section>`;
}

function eventOf({ type, recordedAt, position, envelope, open, half }: ProvenView): string {
  const { actor, agent, reason } = envelope;
  const facts = Object.entries(open).map(([name, value]) => `<dt>${safe(name)}</dt><dd>${safe(factOf(value))}</dd>`);
  return `<li><p class="when">${timeOf(recordedAt)}<span>position ${safe(position)}</span></p>
<div><h3>${safe(inWords(type))}</h3><p class="who">by ${safe(actor ?? 'nobody named')}${agent ? ` through ${safe(agent)}` : ''}</p>
${reason ? `<p>Reason: ${safe(reason)}</p>` : ''}${facts.length === 0 ? '' : `<dl>${facts.join('')}</dl>`}${half === null ? '' : `<pre>${safe(cut(JSON.stringify(half, null, 2)))}</pre>`}</div></li>`;
}

/** As it was recorded. */
const factOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const inWords = (type: string): string => {
  const words = type.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** The rest is in the evidence that the page has within. */
const MOST_TEXT = 2_000;

const cut = (text: string): string =>
  text.length <= MOST_TEXT
    ? text
    : `${text.slice(0, MOST_TEXT)}\n… ${text.length - MOST_TEXT} more characters are in this file, but not shown.`;

function saidOf({ said }: Evidence): string {
  const rows = said.map(([name, value]) => `<tr><th scope="row">${safe(name)}</th><td>${safe(value)}</td></tr>`);
  return `<section class="said"><h2>What the service said of it</h2>
<p>No proof bears this out.</p>
<table>${rows.join('')}</table></section>`;
}

const VERIFY = `<section class="verify"><h2>Verify it</h2>
<p>Anybody can write a page like this one. Believe it only after this command says that it is as it was sealed. It needs no network:</p>
<pre>npx waybill verify FILE --key key.pub</pre>
<p><code>FILE</code> is this page, as you got it. <code>key.pub</code> is the public key of the log. Get it from those who run this Waybill, before and by another way than this page.</p></section>`;

const timeOf = (time: string): string =>
  `<time datetime="${safe(time)}">${safe(time.replace('T', ' ').replace(/\.\d+Z$|Z$/, ' UTC'))}</time>`;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** As text of a page, also in quotes. Anybody who enqueues a task can write such texts. */
const safe = (text: string): string => harmless(text).replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
