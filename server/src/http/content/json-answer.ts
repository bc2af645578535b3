import type { Answer, Request } from '../server/request.ts';
import { acceptedEncodings, compress, SMALLEST_COMPRESSED } from './compression.ts';

export async function jsonTextAnswer(
  request: Request,
  text: string,
  status = 200,
  headers: readonly string[] = [],
): Promise<Answer> {
  const head = ['content-type', 'application/json', ...headers];
  const isSmall = text.length < SMALLEST_COMPRESSED;
  const [encoding] = isSmall ? [] : acceptedEncodings(request.headers['accept-encoding']);
  if (encoding === undefined) return { status, headers: head, body: text };
  const body = await compress(Buffer.from(text), encoding);
  return { status, headers: [...head, 'content-encoding', encoding], body, uncompressed: text };
}
