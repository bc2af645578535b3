import type { Answer } from '../server/answer.ts';
import type { Request } from '../server/request.ts';
import { acceptedEncodings, compress, SMALLEST_COMPRESSED } from './compression.ts';

export function jsonTextAnswer(
  request: Request,
  text: string,
  status = 200,
  headers: readonly string[] = [],
): Answer | Promise<Answer> {
  const head = ['content-type', 'application/json', ...headers];
  const [encoding] =
    text.length < SMALLEST_COMPRESSED ? [] : acceptedEncodings(request.headers['accept-encoding']);
  if (encoding === undefined) return { status, headers: head, body: text };
  head.push('content-encoding', encoding);
  return compress(Buffer.from(text), encoding).then((compressed) => ({
    status,
    headers: head,
    body: compressed,
    plain: text,
  }));
}
