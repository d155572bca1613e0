import { type Following, type LogFollowing, SEARCH_WINDOW } from './store-client.port.js';

/** What a client's filter by stream names takes, so that the server leaves out other streams. */
export const searchOptions = ({ prefixes, looked }: LogFollowing) => ({
  prefixes: [...prefixes],
  maxSearchWindow: SEARCH_WINDOW,
  checkpointReached: (following: unknown, { commit }: { readonly commit: bigint }) =>
    looked(following as Following, commit),
});
