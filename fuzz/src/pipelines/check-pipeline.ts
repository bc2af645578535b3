import { type Response, readResponse } from '../responses.ts';
import type { Pipeline } from './generate-pipeline.ts';

/** All complete responses so far, each parsed for the request in its position. */
export function readResponses(
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

/** The bytes received on a connection; a reset discards what was not read yet. */
export interface Received {
  readonly bytes: Buffer;
  readonly wasReset: boolean;
}

/** What is wrong with the received bytes; undefined if nothing is. */
export function findPipelineProblem(
  pipeline: Pipeline,
  { bytes: received, wasReset }: Received,
): string | undefined {
  const { requests, hasIncompleteRequest, reads, leaves } = pipeline;
  let read: ReturnType<typeof readResponses>;
  try {
    read = readResponses(pipeline, received);
  } catch (error) {
    return (error as Error).message;
  }
  const { responses, end } = read;
  for (const [index, { status, headers }] of responses.entries()) {
    const id = headers.get('x-request-id');
    const isLast = index === responses.length - 1;
    // 503 is permitted: a store has a limit of concurrent long lists.
    if (status >= 500 && status !== 503) return `response ${index + 1} is ${status}`;
    // An incomplete request has no ID of ours. It may get an error response in its position, which ends the connection.
    const isForIncompleteRequest = hasIncompleteRequest && !id?.startsWith('pipeline.');
    const isPermitted = isForIncompleteRequest && (index >= requests.length || (isLast && status >= 400));
    if (id !== requests[index]?.id && !isPermitted)
      return `response ${index + 1} is for ${id}, not for ${requests[index]?.id}`;
    if (!isLast && headers.get('connection') === 'close')
      return `response ${index + 1} ends the connection, but another follows`;
  }
  // Malformed bytes may end the connection before all earlier requests got their response.
  if (reads === 'nothing' || leaves !== 'when served' || hasIncompleteRequest || wasReset) return undefined;
  if (end < received.length) return 'the last response is incomplete';
  const last = responses.at(-1);
  // If a long response has begun before the next request arrives, it is too late to send `Connection: close`.
  const mayEndConnection =
    last?.headers.get('connection') === 'close' || last?.headers.has('transfer-encoding');
  if (responses.length < requests.length && !mayEndConnection)
    return `${responses.length} of ${requests.length} requests got a response, and the last one does not end the connection`;
  return undefined;
}
