/** The releases of EventStoreDB and of KurrentDB that Waybill was tried with. */
const TRIED = ['24.6', '25.1'];

/** What to tell people about a version that was not tried; null if it was. */
export const untried = (version: string): string | null =>
  TRIED.some((release) => version.startsWith(`${release}.`))
    ? null
    : `Expected the event store to be of a version that was tried (${TRIED.join(', ')}), but it is ${version}; see 'docs/how-to/run-on-eventstoredb.md#versions'`;
