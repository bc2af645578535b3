import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeMessage } from '../src/engine/decode-message.ts';

const text = JSON.stringify(Array.from({ length: 40 }, (_, id) => ({ id, name: 'Zoë' })));
const message = (head: string, body: Buffer) =>
  `HTTP/1.1 200 OK\r\n${head}etag: "1"\r\n\r\n${body.toString('latin1')}`;

describe('a message in a report', () => {
  it.for([
    ['', Buffer.from(text)],
    ['content-encoding: gzip\r\n', gzipSync(text)],
    ['Content-Encoding: br\r\n', brotliCompressSync(text)],
  ] as const)('shows the text of its body: %s', ([head, body]) => {
    expect(decodeMessage(message(head, body))).toBe(`HTTP/1.1 200 OK\r\netag: "1"\r\n\r\n${text}`);
  });

  it('shows a compressed body in chunks as far as it was recorded', () => {
    const bytes = gzipSync(text);
    const chunks = [bytes.subarray(0, 20), bytes.subarray(20)].flatMap((part) => [
      Buffer.from(`${part.length.toString(16)}\r\n`),
      part,
      Buffer.from('\r\n'),
    ]);
    const whole = message(
      'transfer-encoding: chunked\r\ncontent-encoding: gzip\r\n',
      Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]),
    );
    expect(decodeMessage(whole).endsWith(`\r\n\r\n${text}`)).toBe(true);
    expect(decodeMessage(whole.slice(0, -30))).toContain('[{"id":0,"name":"Zo');
  });

  it('stays as it is if it cannot be read', () => {
    const broken = message('content-encoding: gzip\r\n', Buffer.from('not gzip'));
    expect(decodeMessage(broken)).toBe(broken);
  });
});
