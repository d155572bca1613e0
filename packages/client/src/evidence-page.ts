/** Pages of evidence: to make them again, and to read what they say. Apart from the other words, because no page of a dashboard needs them. */
export { type Evidence, evidenceIn } from './words/evidence.js';
export { evidencePage } from './words/evidence-page.js';
export { provenEvents, type ProvenView } from './words/proven-events.js';
