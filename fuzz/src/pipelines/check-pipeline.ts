import { type Response, readResponse } from '../responses.ts';
import type { Pipeline } from './generate-pipeline.ts';

/** All whole answers so far, each read as one to the request in its place. */
export function responsesTo(
  { requests }: Pipeline,
  received: Buffer,
): { responses: Response[]; end: number } {
  const responses: Response[] = [];
  let end = 0;
  while (end < received.length) {
    const response = readResponse(received, end, requests[responses.length]?.method ?? 'GET', false);
    if (!response) break;
    responses.push(response);
    end = response.end;
  }
  return { responses, end };
}

/** What came back on a connection; a reset takes away what was not read yet. */
export interface Received {
  readonly bytes: Buffer;
  readonly wasReset: boolean;
}

/** What is wrong with all that came back; undefined if nothing is. */
export function wrongWithPipeline(
  pipeline: Pipeline,
  { bytes: received, wasReset }: Received,
): string | undefined {
  const { requests, hasRest, reads, leaves } = pipeline;
  let read: ReturnType<typeof responsesTo>;
  try {
    read = responsesTo(pipeline, received);
  } catch (error) {
    return (error as Error).message;
  }
  const { responses, end } = read;
  for (const [index, { status, headers }] of responses.entries()) {
    const id = headers.get('x-request-id');
    const isLast = index === responses.length - 1;
    // Of long lists a store may have a few under way.
    if (status >= 500 && status !== 503) return `answer ${index + 1} is ${status}`;
    // What is no whole request has no id of ours. It may be answered in its place, and end the connection with a refusal.
    const isOfRest = hasRest && !id?.startsWith('pipeline.');
    const mayCome = isOfRest && (index >= requests.length || (isLast && status >= 400));
    if (id !== requests[index]?.id && !mayCome)
      return `answer ${index + 1} is for ${id}, and not for ${requests[index]?.id}`;
    if (!isLast && headers.get('connection') === 'close')
      return `answer ${index + 1} ends the connection, and another follows`;
  }
  // What is no request may end the connection before all that came ahead of it is answered.
  if (reads === 'nothing' || leaves !== 'when answered' || hasRest || wasReset) return undefined;
  if (end < received.length) return 'the last answer has no end';
  const last = responses.at(-1);
  // A long answer has begun, and cannot say so any more, when the next request comes.
  const saysSo = last?.headers.get('connection') === 'close' || last?.headers.has('transfer-encoding');
  if (responses.length < requests.length && !saysSo)
    return `${responses.length} of ${requests.length} requests were answered, and the last does not end the connection`;
  return undefined;
}
