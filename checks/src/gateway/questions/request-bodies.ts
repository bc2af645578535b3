import { fail } from '../finding.ts';
import { describe, type Fixture } from '../fixture.ts';
import type { Question } from '../question.ts';

const group = 'Requests are forwarded unchanged';
/** Blocks of 256 that each contain every byte; the values shift by one from block to block, so that a moved block differs. */
const everyByte = Buffer.from(Array.from({ length: 65_536 }, (_, at) => (at * 7 + (at >> 8)) % 256));

async function mustReceive(fixture: Fixture, path: string, type: string, body: Buffer): Promise<void> {
  const response = await fixture.send({ method: 'POST', path, headers: [['Content-Type', type]], body });
  const [received] = fixture.received;
  if (!received) fail(`the ${body.length} bytes did not reach the origin: ${describe(response)}`);
  const { body: bytes } = received;
  if (bytes.length !== body.length)
    fail(`${body.length} bytes were sent; the origin received ${bytes.length}`);
  if (!bytes.equals(body)) fail('the origin received different bytes from those sent');
}

export const requestBodies: readonly Question[] = [
  {
    id: 'body-bytes',
    group,
    requirement: 'forwards a request body byte by byte',
    hint: 'Forwards it without decoding it.',
    run: (fixture) => mustReceive(fixture, '/v2/store/orders', 'application/octet-stream', everyByte),
  },
  {
    id: 'body-4-mb',
    group,
    requirement: 'accepts a body of 4 MB for a sandbox reset',
    hint: 'Accepts 4 MB for /v2/sandbox/reset and /v2/sandbox/stores: custom data can be that large.',
    run: (fixture) =>
      mustReceive(
        fixture,
        '/v2/sandbox/reset',
        'application/json',
        Buffer.from('{"dataSet":"default"}'.padEnd(4_000_000)),
      ),
  },
  {
    id: 'body-chunked',
    group,
    requirement: 'forwards a chunked request body',
    hint: 'Forwards the whole body, chunked or with its length.',
    async run(fixture) {
      const parts = ['{"petId":1,', '"quantity":', '1}'];
      const chunks = [...parts, ''].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join('');
      const headers = [
        ['Content-Type', 'application/json'],
        ['Transfer-Encoding', 'chunked'],
      ] as const;
      const path = '/v2/store/orders';
      const response = await fixture.send({ method: 'POST', path, headers, body: chunks });
      const [received] = fixture.received;
      if (!received) fail(`it did not reach the origin: ${describe(response)}`);
      if (received.body.toString() !== parts.join('')) fail(`the origin received '${received.body}'`);
    },
  },
];
