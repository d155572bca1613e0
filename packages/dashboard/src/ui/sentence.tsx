import { At } from './time.js';

const MOMENT = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A sentence of the service, with its moments as the page shows times. */
export const Sentence = ({ text }: { text: string }) => (
  <>{text.split(MOMENT).map((part, at) => (at % 2 === 1 ? <At key={at} at={part} /> : part))}</>
);
