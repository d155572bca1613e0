import { type Following, type LogFollowing, SEARCH_WINDOW } from './store-client.port.js';

/** The checkpoint that servers before 24.10.5 send if no event matched. It is further on than any event. */
const NO_CHECKPOINT = 18_446_744_073_709_551_615n;

/** What a client's filter by stream names takes, so that the server leaves out other streams. */
export const searchOptions = ({ prefixes, looked }: LogFollowing) => ({
  prefixes: [...prefixes],
  maxSearchWindow: SEARCH_WINDOW,
  checkpointReached: (following: unknown, { commit }: { readonly commit: bigint }) => {
    if (commit !== NO_CHECKPOINT) looked(following as Following, commit);
  },
});
