import { createSocket, type Socket } from 'node:dgram';
import { afterEach, expect, it } from '@jest/globals';
import { Names } from '../../../src/steward/deliveries/names.js';

const servers: Socket[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A name server. `answer`: what it answers, made of the question; null for silence. */
async function nameServer(answer: (question: Buffer) => Buffer | null): Promise<string> {
  const server = createSocket('udp4');
  servers.push(server);
  server.on('message', (question, { port, address }) => {
    const told = answer(question);
    if (told) server.send(told, port, address);
  });
  await new Promise<void>((bound) => void server.bind(0, '127.0.0.1', bound));
  return `127.0.0.1:${server.address().port}`;
}

const A = 1;
const typeOf = (question: Buffer): number => question.readUInt16BE(nameEnd(question));
/** Of a question whose name begins after the header, as labels with their lengths. */
function nameEnd(question: Buffer): number {
  let at = 12;
  while (question[at] !== 0) at += question[at]! + 1;
  return at + 1;
}

/** The question again as an answer: with one address, or with the code of a refusal. */
function answered(question: Buffer, address: readonly number[] | null, code = 0): Buffer {
  const asked = question.subarray(0, nameEnd(question) + 4);
  const head = Buffer.from(asked);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(address ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  return address ? Buffer.concat([head, Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 9, 0, 4, ...address])]) : head;
}

const NO_SUCH_NAME = 3;

it('asks the name servers, and does not wait long for the other family', async () => {
  const names = new Names([
    await nameServer((question) => (typeOf(question) === A ? answered(question, [192, 0, 2, 7]) : null)),
  ]);
  expect(await names.addressesOf('shop.test')).toEqual([{ address: '192.0.2.7', family: 4 }]);
});

it('given a name server that never answers, gives up, and looks up other names meanwhile', async () => {
  const silent = new Names([await nameServer(() => null)]);
  const lost = Array.from({ length: 20 }, (_, at) => silent.addressesOf(`hangs-${at}.test`).catch((error) => error));
  const told = new Names([await nameServer((question) => answered(question, null, NO_SUCH_NAME))]);
  expect(await told.addressesOf('localhost')).toContainEqual(expect.objectContaining({ family: expect.any(Number) }));
  for (const error of await Promise.all(lost)) expect(error).toMatchObject({ code: 'ETIMEOUT' });
});

it('leaves names that the name servers do not know to the system', async () => {
  const names = new Names([await nameServer((question) => answered(question, null, NO_SUCH_NAME))]);
  expect((await names.addressesOf('localhost')).map(({ address }) => address)).toContain('127.0.0.1');
});
