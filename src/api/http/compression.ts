import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import { constants } from 'node:zlib';

/** What people's browsers load, and JSON. Streams of events must go out at once, and fonts and pictures are small already. */
const TYPES =
  /^(application\/(problem\+)?json|text\/(javascript|css|html)|application\/javascript|image\/svg\+xml)(;|$)/;

/** Smaller answers fit into a packet. */
const LEAST_BYTES = 1_024;

/** The plugin's own is 4, which sends the dashboard's 600 kB in 164 kB after 16 ms, more than gzip does; 5 sends 154 kB after 26 ms, 7 153 kB after 72 ms. */
const BROTLI_QUALITY = 5;

/**
 * Sends what is read in as few bytes as the client can take. Answers to commands, claims among them, stay as they are: they are
 * short, and a worker would pay for each. Requests are taken only uncompressed, as before.
 */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (![route.method].flat().includes('GET')) route.compress = false;
  });
  void server.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: LEAST_BYTES,
    customTypes: TYPES,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    globalDecompression: false,
  });
}
