import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, jobIn } from '../../../../examples/repository/job.js';
import { until } from '../../../support/until.js';
import { errorOf, expectNoError, fileIn, job, manifestOf, objectOf, pathIn, Setting, sha256 } from './setting.js';

let setting: Setting;
beforeAll(async () => {
  setting = await Setting.start();
});
afterAll(() => setting.stop());
beforeEach(() => setting.begin());
afterEach(() => setting.end());

const requestsFor = (line: string, method: string): number =>
  setting.files.requests.filter((request) => request === `${method} ${pathIn(line)}`).length;

/** A job of an object with these files, which has been estimated. */
async function estimated(...lines: readonly string[]) {
  const { jobs } = await setting.planned(setting.deposit(objectOf(...lines)));
  return setting.worksAt('Estimating', jobs[0]!.id);
}

describe('Estimating', () => {
  it('S2-36 asks for the sizes of all files at the same time, and sums them', async () => {
    const lines = [setting.remote('a.txt', '12345'), setting.remote('b.txt', '1234567')];
    // Each answers only once both were asked.
    const both = until('both requests', async () => (setting.files.requests.length === 2 ? true : null));
    for (const line of lines) setting.files.slow.set(pathIn(line), both);
    const view = await estimated(...lines);
    expect(setting.files.requests.toSorted()).toEqual(lines.map((line) => `HEAD ${pathIn(line)}`).toSorted());
    expect(view).toMatchObject({ data: { spaceNeeded: 12 }, lastStep: 'Estimating', step: 'Provisioning' });
  });

  it('S2-36 asks for the sizes of the files of a manifest, too, and marks the total as accurate only then', async () => {
    const lines = [setting.remote('a.txt', '12345'), setting.remote('b.txt', '1234567')];
    const listed = setting.remote('listed.checkm', objectOf(...lines));
    const { jobs } = await setting.planned(setting.deposit(manifestOf('mrt-batch-manifest', listed)));
    const view = await setting.worksAt('Estimating', jobs[0]!.id);
    for (const line of lines) expect(requestsFor(line, 'HEAD')).toBe(1);
    const bytes = Buffer.byteLength(objectOf(...lines));
    expect(view).toMatchObject({ data: { spaceNeeded: 12 + bytes }, lastStep: 'Estimating' });
    expect(await setting.worksAt('Provisioning', view.id)).toMatchObject({ data: { inaccurate: false } });
  });

  it('S2-36 marks the total as inaccurate if the size of a file of a manifest is not known', async () => {
    const lines = [setting.remote('a.txt', '12345'), setting.remote('b.txt', '1234567')];
    setting.files.headless.add(pathIn(lines[1]!));
    const listed = setting.remote('listed.checkm', objectOf(...lines));
    const { jobs } = await setting.planned(setting.deposit(manifestOf('mrt-batch-manifest', listed)));
    const view = await setting.worksAt('Estimating', jobs[0]!.id);
    expect(view).toMatchObject({ data: {}, lastStep: null, step: 'Provisioning' });
    expect(await setting.worksAt('Provisioning', view.id)).toMatchObject({ data: { inaccurate: true } });
  });

  it('S2-36 S2-40 updates nothing if a server refuses HEAD, and Provisioning marks the total as inaccurate', async () => {
    const lines = [setting.remote('a.txt'), setting.remote('b.txt')];
    setting.files.headless.add(pathIn(lines[1]!));
    const view = await estimated(...lines);
    expect(view).toMatchObject({ data: {}, lastStep: null, step: 'Provisioning', retries: 0 });
    const provisioned = await setting.worksAt('Provisioning', view.id);
    expect(provisioned).toMatchObject({ data: { inaccurate: true }, lastStep: null, step: 'Downloading' });
  });

  it('S2-40 leaves a total that was estimated as accurate', async () => {
    const view = await estimated(setting.remote('a.txt', '12345'));
    const provisioned = await setting.worksAt('Provisioning', view.id);
    const data = { spaceNeeded: 5, inaccurate: false };
    expect(provisioned).toMatchObject({ data, lastStep: 'Estimating', step: 'Downloading' });
  });

  it.each([
    ['does not answer in time', (line: string) => void setting.files.slow.set(pathIn(line), new Promise(() => {}))],
    ['answers with an error', (line: string) => void setting.files.files.delete(pathIn(line))],
  ])('S2-55 takes a HEAD that %s for one that is not supported', async (_, spoil) => {
    const line = setting.remote('a.txt');
    spoil(line);
    expect(await estimated(line)).toMatchObject({ data: {}, lastStep: null, error: null, step: 'Provisioning' });
  });

  it('S2-55 takes a server that is not there for one that does not support HEAD', async () => {
    const view = await estimated('http://127.0.0.1:9/a.txt | | | | | a.txt');
    expect(view).toMatchObject({ data: {}, lastStep: null, error: null, step: 'Provisioning' });
  });
});

describe('Downloading', () => {
  it('S2-41 fetches several files, each with a finite number of tries, and checks their digests', async () => {
    const lines = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => setting.remote(name, name, sha256(name)));
    setting.files.failing.set(pathIn(lines[2]!), 2);
    const ran = await setting.run(job({ files: lines.map(fileIn) }), 'Downloading');
    expectNoError(ran);
    expect(readdirSync(folderOf(setting.at, ran).files).sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(ran).toMatchObject({ data: { spaceNeeded: 6 }, lastSuccessfulStep: 'Downloading' });
    expect(requestsFor(lines[2]!, 'GET')).toBe(3);
    const missing = setting.remote('gone.txt', null);
    const failed = await setting.run(job({ files: [fileIn(missing)] }), 'Downloading');
    expect(errorOf(failed)).toContain("Expected to fetch 'gone.txt'");
    expect(requestsFor(missing, 'GET')).toBe(3);
    const wrong = await setting.run(
      job({ files: [fileIn(setting.remote('wrong.txt', 'x', sha256('y')))] }),
      'Downloading',
    );
    expect(errorOf(wrong)).toContain("Expected 'wrong.txt' to have the sha256");
  });

  it('S2-41 fetches several files at the same time, while the queue sees one job in one state', async () => {
    const lines = [setting.remote('a.txt', 'a'), setting.remote('b.txt', 'b')];
    const { id } = await estimated(...lines);
    await setting.worksAt('Provisioning', id);
    // Each answers only once both were asked, and the job was looked at.
    const isAsked = (line: string) => requestsFor(line, 'GET') === 1;
    const seen = until('both requests', async () => (lines.every(isAsked) ? setting.view(id) : null));
    for (const line of lines) setting.files.slow.set(pathIn(line), seen);
    const downloaded = await setting.worksAt('Downloading', id);
    expect(await seen).toMatchObject({ state: 'running', step: 'Downloading', stateName: 'Downloading' });
    expect(downloaded).toMatchObject({ step: 'Processing', data: { spaceNeeded: 2 } });
  });

  it('S2-41 fetches the files that a manifest lists at the same time, too', async () => {
    const lines = [setting.remote('a.txt', 'a'), setting.remote('b.txt', 'b')];
    const listed = setting.remote('listed.checkm', objectOf(...lines));
    const { jobs } = await setting.planned(setting.deposit(manifestOf('mrt-batch-manifest', listed)));
    await setting.worksAt('Estimating', jobs[0]!.id);
    await setting.worksAt('Provisioning', jobs[0]!.id);
    const isAsked = (line: string) => requestsFor(line, 'GET') === 1;
    const both = until('both requests', async () => (lines.every(isAsked) ? true : null));
    for (const line of lines) setting.files.slow.set(pathIn(line), both);
    const downloaded = await setting.worksAt('Downloading', jobs[0]!.id);
    expect(await both).toBe(true);
    expect(downloaded).toMatchObject({ step: 'Processing' });
  });

  it('S2-41 fetches no file twice that was whole when it was interrupted', async () => {
    const lines = [setting.remote('a.txt', 'a'), setting.remote('b.txt', null)];
    const given = job({ files: lines.map(fileIn) });
    expect(errorOf(await setting.run(given, 'Downloading'))).toContain('b.txt');
    setting.files.files.set(pathIn(lines[1]!), 'b');
    for (let time = 1; time <= 2; time++) expectNoError(await setting.run(given, 'Downloading'));
    expect(requestsFor(lines[0]!, 'GET')).toBe(1);
  });
});

describe('Processing', () => {
  it('S2-31 takes the local id of an ERC that was deposited', async () => {
    const line = setting.remote('mrt-erc.txt', 'erc:\nwhere: erc-1\n');
    const ran = await setting.run(job({ files: [fileIn(line)] }), 'Downloading', 'Processing');
    expectNoError(ran);
    expect(readFileSync(join(folderOf(setting.at, ran).files, 'mrt-erc.txt'), 'utf8')).toContain('where: erc-1');
    expect(ran.data.ark).toMatch(/^ark:\/99999\/fk4/);
  });

  it('S2-43 writes the records, mints an ark and stores the object, in this order', async () => {
    const files = [fileIn(setting.remote('a.txt', 'a', sha256('a')))];
    const given = job({ files, localId: 'map <1>', title: 'Bay & coast' });
    const ran = await setting.run(given, 'Downloading', 'Processing');
    expectNoError(ran);
    const { ark, stored } = ran.data;
    expect(setting.identifiers).toContain(ark);
    const [erc, dc] = ['mrt-erc.txt', 'mrt-dc.xml'].map((name) =>
      readFileSync(join(folderOf(setting.at, ran).files, name), 'utf8'),
    );
    expect(erc).toBe(`erc:\nwho: (:unkn)\nwhat: Bay & coast\nwhen: (:unkn)\nwhere: ${ark}\nwhere: map <1>\n`);
    expect(dc).toContain('<dc:title>Bay &amp; coast</dc:title>');
    expect(dc).toContain('<dc:identifier>map &lt;1&gt;</dc:identifier>');
    expect([setting.stored, stored]).toEqual([[ark], 200]);
    const listed = Object.entries({ 'a.txt': 'a', 'mrt-dc.xml': dc!, 'mrt-erc.txt': erc! });
    const lines = listed.map(([name, content]) => `${name} | sha256 | ${sha256(content)}`);
    expect(setting.manifests).toEqual([['#%checkm_0.7', ...lines, '#%eof', ''].join('\n')]);
  });

  it('S2-43 fails, before anything is minted, if a file that was whole has another digest now', async () => {
    const before = setting.identifiers.length;
    const files = [fileIn(setting.remote('a.txt', 'a', sha256('a')))];
    const downloaded = await setting.run(job({ files }), 'Downloading');
    writeFileSync(join(folderOf(setting.at, downloaded).files, 'a.txt'), 'b');
    const ran = await setting.run(downloaded, 'Processing');
    expect(errorOf(ran)).toContain("Expected 'a.txt' to have the sha256");
    expect([setting.identifiers.length - before, setting.stored]).toEqual([0, []]);
  });

  it('S2-43 checks the digests of the files that a manifest lists, too', async () => {
    const listed = setting.remote('listed.checkm', objectOf(setting.remote('a.txt', 'a', sha256('a'))));
    const [made] = (await setting.planned(setting.deposit(manifestOf('mrt-batch-manifest', listed)))).jobs;
    const downloaded = await setting.run(jobIn(made!), 'Downloading');
    expectNoError(downloaded);
    writeFileSync(join(setting.folderOf(made!).files, 'a.txt'), 'b');
    expect(errorOf(await setting.run(downloaded, 'Processing'))).toContain("Expected 'a.txt' to have the sha256");
    expect(setting.stored).toEqual([]);
  });

  it('S2-43 fails if the local id belongs to another ark, before anything is minted or stored', async () => {
    const before = setting.identifiers.length;
    const files = [fileIn(setting.remote('a.txt'))];
    const given = job({ files, localId: 'known-1', ark: 'ark:/99999/fk4other' });
    const ran = await setting.run(given, 'Downloading', 'Processing');
    expect(errorOf(ran)).toBe("Expected 'known-1' to be ark:/99999/fk4other, but it is ark:/99999/fk4known");
    expect([setting.identifiers.length - before, setting.stored]).toEqual([0, []]);
  });

  it('S2-43 mints no second ark if it is begun again, wherever it was interrupted', async () => {
    const before = setting.identifiers.length;
    setting.storageAnswer = 503;
    const ran = await setting.run(job({ files: [fileIn(setting.remote('a.txt'))] }), 'Downloading', 'Processing');
    expect(errorOf(ran)).toContain('answers 503');
    const { ark } = ran.data;
    expect(ark).not.toBeNull();
    setting.storageAnswer = 200;
    // As if the process had died between EZID's answer and the record.
    const again = await setting.run({ ...ran, data: { ...ran.data, ark: null } }, 'Processing');
    expect(again.data).toMatchObject({ ark, stored: 200 });
    expect(setting.identifiers.length - before).toBe(1);
  });

  it('S2-44 uses the ark that was recorded, and asks EZID for none', async () => {
    const before = setting.identifiers.length;
    const files = [fileIn(setting.remote('a.txt'))];
    const plain = job({ files });
    const given = { ...plain, data: { ...plain.data, ark: 'ark:/1/recorded' } };
    const ran = await setting.run(given, 'Downloading', 'Processing');
    expectNoError(ran);
    expect([setting.stored, setting.identifiers.length - before]).toEqual([['ark:/1/recorded'], 0]);
  });
});
