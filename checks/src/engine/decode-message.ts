import { brotliDecompressSync, constants, gunzipSync } from 'node:zlib';

/** Decodes the body of a recorded message, as far as it was recorded: joins its chunks and decompresses it. */
export function decodeMessage(message: string): string {
  const end = message.indexOf('\r\n\r\n') + 4;
  if (end < 4) return message;
  const head = message.slice(0, end);
  const isChunked = /^transfer-encoding:.*\bchunked\b/im.test(head);
  const sent = Buffer.from(isChunked ? joinChunks(message.slice(end)) : message.slice(end), 'latin1');
  const encoding = /^content-encoding:[ \t]*(\S+)/im.exec(head)?.[1];
  try {
    return head.replace(/^content-encoding:.*\r\n/im, '') + decompress(sent, encoding).toString();
  } catch {
    return message;
  }
}

function joinChunks(body: string): string {
  let text = '';
  for (let at = 0; ; ) {
    const size = /^([\da-f]+)[^\r]*\r\n/i.exec(body.slice(at, at + 100));
    const length = Number.parseInt(size?.[1] ?? '', 16);
    if (!size || !(length > 0)) return text;
    at += size[0].length;
    text += body.slice(at, at + length);
    at += length + 2;
  }
}

/** `finishFlush` returns what can be decoded, without an error for a record that was cut off. */
function decompress(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
  if (encoding === 'br')
    return brotliDecompressSync(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH });
  return bytes;
}
