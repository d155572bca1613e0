import { EventStoreDBClient, jsonEvent, streamNameFilter } from '@eventstore/db-client';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { searchOptions } from '../../../src/infrastructure/eventstoredb/log/clients/search-options.js';
import { EventStoreDbFixture, type Release, RELEASE_NAMES } from '../../support/eventstoredb/fixture.js';
import { breaksEveryIn, Passes } from '../../support/eventstoredb/passes.js';
import { until } from '../../support/until.js';

const NOWHERE = 2n ** 64n - 1n;

/** What each release does, as far as anybody said or saw. */
const KNOWN: Readonly<Record<Release, { readonly nowhere: boolean; readonly passes: boolean }>> = {
  '24.2.0': { nowhere: true, passes: true },
  '24.6.0': { nowhere: true, passes: true },
  '24.10.4': { nowhere: true, passes: true },
  '25.0.0': { nowhere: false, passes: true },
  '25.1.4': { nowhere: false, passes: false },
};

it('is every release of which something is known', () => {
  expect(RELEASE_NAMES).toEqual(Object.keys(KNOWN));
});

describe.each(RELEASE_NAMES)('a fixture of release %s', (release) => {
  const known = KNOWN[release];
  let server: EventStoreDbFixture;
  let client: EventStoreDBClient;
  beforeEach(async () => {
    server = await EventStoreDbFixture.start({ scheme: 'esdb', release, breaksEvery: 0 });
    client = EventStoreDBClient.connectionString(server.url);
  });
  afterEach(async () => {
    await client.dispose();
    await server.stop();
  });

  const append = (stream: string): Promise<unknown> =>
    client.appendToStream(stream, jsonEvent({ type: 'X', data: {} }));

  /** What a filtered subscription says, in order: checkpoints and the position of each event. */
  async function followed(prefix: string) {
    const [checkpoints, said]: [bigint[], (readonly [what: 'checkpoint' | 'event', at: bigint])[]] = [[], []];
    const filter = streamNameFilter({
      prefixes: [prefix],
      maxSearchWindow: 1_000,
      checkpointReached: (_, { commit }) => {
        checkpoints.push(commit);
        said.push(['checkpoint', commit]);
      },
    });
    let isLive = false;
    const subscription = client.subscribeToAll({ filter }).on('caughtUp', () => (isLive = true));
    subscription.on('data', ({ event }) => said.push(['event', event!.position!.commit]));
    await until('it to catch up', async () => (isLive ? true : null));
    return { checkpoints, said };
  }

  it(`says ${known.nowhere ? 'that it is nowhere' : 'where it is'} if nothing matched`, async () => {
    await append('other-1');
    const { checkpoints } = await followed('own-');
    expect(checkpoints.includes(NOWHERE)).toBe(known.nowhere);
    expect(checkpoints).toHaveLength(1);
  });

  it('says where it is if something matched', async () => {
    await append('own-1');
    const { checkpoints } = await followed('own-');
    expect(checkpoints).toEqual([server.log.all.at(-1)!.position]);
  });

  it(`sends ${known.passes ? 'a checkpoint that passes an event' : 'no checkpoint'} before the event`, async () => {
    await append('own-1');
    const { said } = await followed('own-');
    await append('own-2');
    const { position } = server.log.all.at(-1)!;
    await until('the event', async () =>
      said.some(([what, at]) => what === 'event' && at === position) ? true : null,
    );
    expect(said.some(([what, at]) => what === 'checkpoint' && at === position)).toBe(known.passes);
  });

  it(`recognises an append that comes again${release === '24.6.0' ? ' after its answer' : ' some time after its answer'}`, () => {
    expect(server.flights.afterMs).toBe(release === '24.6.0' ? 0 : 4);
  });
});

it('the service takes no checkpoint that is nowhere for one that passes its events', () => {
  const looked: bigint[] = [];
  const options = searchOptions({ prefixes: ['a'], fromPosition: 'start', looked: (_, at) => looked.push(at) });
  options.checkpointReached(null, { commit: NOWHERE });
  options.checkpointReached(null, { commit: 7n });
  expect(looked).toEqual([7n]);
});

describe('the connection of a filtered subscription', () => {
  const brokenOf = (passes: Passes, events: number): number[] =>
    Array.from({ length: events }, (_, at) => (passes.next() === 'broken' ? at + 1 : 0)).filter((at) => at > 0);

  it('breaks for every hundredth event that a checkpoint passes, if nobody says otherwise', () => {
    expect(breaksEveryIn({})).toBe(100);
    expect(brokenOf(new Passes(true, breaksEveryIn({})), 250)).toEqual([100, 200]);
  });

  it.each([
    ['0', []],
    ['3', [3, 6]],
  ])('breaks as FIXTURE_BREAKS_EVERY=%s says', (value, broken) => {
    expect(brokenOf(new Passes(true, breaksEveryIn({ FIXTURE_BREAKS_EVERY: value })), 7)).toEqual(broken);
  });

  it('never breaks by itself on a release whose checkpoints pass no event', () => {
    expect(brokenOf(new Passes(false, 1), 7)).toEqual([]);
  });
});
