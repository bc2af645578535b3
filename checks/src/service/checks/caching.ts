import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Suite } from '../check.ts';
import type { Context } from '../context.ts';
import { ensure, equal, expectNoBody, expectNoHeader, expectStatus, headerOf, membersOf } from '../expect.ts';

const paths = ['/store/orders', '/pets', '/pets/{petId}'];

export function cachingChecks(suite: Suite, context: Context): void {
  conditionalChecks(suite, context);
  compressionChecks(suite, context);
}

function conditionalChecks(suite: Suite, { client, cancellation }: Context): void {
  const { check } = suite.section('v1.caching', 'Decisions: caching');
  const ifNoneMatch = (path: string, tag: string) => client.send({ path, headers: { 'If-None-Match': tag } });
  const etagOf = async (path: string) => headerOf(await client.send({ path }), 'ETag');

  check('cache-control', '`Cache-Control: private, no-cache` on every 200', async () => {
    for (const path of paths) {
      equal(headerOf(await client.send({ path }), 'Cache-Control'), 'private, no-cache', 'Cache-Control');
    }
  });
  check('vary', '`Vary: Authorization` on every 200 and 304: each key has its own store', async () => {
    for (const path of paths) {
      const response = await client.send({ path });
      const responses = [response];
      if (path !== '/pets/{petId}') responses.push(await ifNoneMatch(path, headerOf(response, 'ETag')));
      for (const each of responses) {
        ensure(
          membersOf(each, 'Vary').includes('authorization'),
          'Vary: Authorization',
          each.headers.vary,
          each.request,
        );
      }
    }
  });
  check('etag-lasts', '`ETag` on every list, and the same one while nothing changes', async () => {
    for (const path of ['/store/orders', '/pets']) {
      const etag = await etagOf(path);
      ensure(/^(W\/)?"[\x21\x23-\x7e]*"$/.test(etag), 'an entity tag', etag);
      equal(await etagOf(path), etag, 'ETag');
    }
  });
  check(
    'if-none-match',
    '`If-None-Match` with the current tag is 304 without a body, and with the headers of the 200',
    async () => {
      for (const path of ['/store/orders', '/pets']) {
        const etag = await etagOf(path);
        const response = await ifNoneMatch(path, etag);
        expectStatus(response, 304);
        expectNoBody(response);
        equal(headerOf(response, 'ETag'), etag, 'ETag');
        equal(headerOf(response, 'Cache-Control'), 'private, no-cache', 'Cache-Control');
      }
    },
  );
  check('tag-lists', '`If-None-Match` understands a list of tags, the weak form and `*`', async () => {
    const etag = await etagOf('/store/orders');
    const weak = etag.startsWith('W/') ? etag.slice(2) : `W/${etag}`;
    for (const tag of [`"another", ${etag}`, `${etag},"another"`, weak, '*']) {
      expectStatus(await ifNoneMatch('/store/orders', tag), 304);
    }
  });
  check('other-tag', '`If-None-Match` with a different or invalid tag is 200 with the list', async () => {
    const etag = await etagOf('/store/orders');
    for (const tag of [
      '"another"',
      etag.replace(/^W\//, '').slice(1, -1),
      `${etag.slice(0, -1)}x"`,
      '""',
      'nonsense',
    ]) {
      expectStatus(await ifNoneMatch('/store/orders', tag), 200);
    }
  });
  check('cancel-changes-tag', 'a cancel changes the tag, and the old tag gets 200 from then on', async () => {
    const { etagBefore, etagAfter } = await cancellation();
    ensure(
      etagBefore !== undefined && etagBefore !== etagAfter,
      'a different ETag after the cancel',
      etagAfter,
    );
    expectStatus(await ifNoneMatch('/store/orders', etagBefore ?? ''), 200);
  });
  check('head', '`HEAD` with `If-None-Match` is 304 as well', async () => {
    const headers = { 'If-None-Match': await etagOf('/store/orders') };
    expectStatus(await client.send({ method: 'HEAD', path: '/store/orders', headers }), 304);
  });
  check('errors-untagged', 'an error has no `ETag`', async () => {
    expectNoHeader(await client.send({ path: '/nothing' }), 'ETag');
    expectNoHeader(await client.send({ path: '/store/orders', key: null }), 'ETag');
  });
}

/** Values of `Accept-Encoding`, and the encoding that each prefers. */
export const preferences = [
  ['br;q=0.5, gzip', 'gzip'],
  ['gzip;q=0.5, br', 'br'],
  ['gzip;q=0.001, br;q=0.002', 'br'],
  ['br;q=0.001,gzip;q=0.002', 'gzip'],
  ['*;q=0.5, gzip;q=0.9', 'gzip'],
  ['br;q=0.1, *', 'gzip'],
] as const;

function compressionChecks(suite: Suite, { client }: Context): void {
  const { check } = suite.section('v1.compression', 'Decisions: compression');
  const list = (encoding?: string) =>
    client.send({
      path: '/store/orders',
      headers: encoding === undefined ? {} : { 'Accept-Encoding': encoding },
    });
  const decoders = { gzip: gunzipSync, br: brotliDecompressSync };

  for (const [encoding, decode] of Object.entries(decoders)) {
    check(
      `${encoding}`,
      `\`Accept-Encoding: ${encoding}\`: the list is sent in ${encoding} and decodes to the same bytes`,
      async () => {
        const compressed = await list(encoding);
        expectStatus(compressed, 200);
        equal(headerOf(compressed, 'Content-Encoding'), encoding, 'Content-Encoding');
        const plain = await list();
        ensure(
          decode(compressed.body).equals(plain.body),
          'the bytes of the uncompressed list',
          'other bytes',
        );
        ensure(compressed.body.length < plain.body.length, 'fewer bytes', `${compressed.body.length}`);
      },
    );
    check(
      `${encoding}-tag`,
      `a list in ${encoding} has an \`ETag\` that gets 304; it is weak, or differs from the uncompressed list’s`,
      async () => {
        const etag = headerOf(await list(encoding), 'ETag');
        const plain = headerOf(await list(), 'ETag');
        ensure(etag.startsWith('W/') || etag !== plain, 'another tag, or a weak one', etag);
        const headers = { 'Accept-Encoding': encoding, 'If-None-Match': etag };
        expectStatus(await client.send({ path: '/store/orders', headers }), 304);
      },
    );
  }
  check('preference', '“gzip or Brotli, by client preference”: the one with the larger `q`', async () => {
    for (const [accepted, preferred] of preferences)
      equal(headerOf(await list(accepted), 'Content-Encoding'), preferred, `the encoding of ${accepted}:`);
  });
  check('vary', '`Vary: Accept-Encoding`, compressed or not', async () => {
    for (const encoding of ['gzip', 'br', 'identity', undefined]) {
      const vary = membersOf(await list(encoding), 'Vary');
      ensure(vary.includes('accept-encoding'), 'Vary: Accept-Encoding', vary);
    }
  });
  check(
    'refused-encoding',
    'no `Accept-Encoding`, `identity`, an unknown encoding or one with `q=0`: the uncompressed list',
    async () => {
      for (const encoding of [undefined, 'identity', 'zip', 'gzip;q=0', 'br;q=0, gzip;q=0', 'gzip;q=0.000']) {
        expectNoHeader(await list(encoding), 'Content-Encoding');
      }
    },
  );
  check('browser', 'a browser’s `gzip, deflate, br, zstd` gets gzip or br', async () => {
    const encoding = headerOf(await list('gzip, deflate, br, zstd'), 'Content-Encoding');
    ensure(encoding in decoders, 'gzip or br', encoding);
  });
}
