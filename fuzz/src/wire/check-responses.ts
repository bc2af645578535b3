import { type Response, readResponse } from '../responses.ts';
import type { WireCase } from './generate-bytes.ts';

/** All complete responses in the bytes of a connection. */
export function readResponses(received: Buffer, closed: boolean): Response[] {
  const responses: Response[] = [];
  for (let at = 0; at < received.length; ) {
    const response = readResponse(received, at, 'GET', closed);
    if (!response) break;
    responses.push(response);
    at = response.end;
  }
  return responses;
}

/** What is wrong with the bytes received on a connection; undefined if nothing is. */
export function findResponsesProblem(
  { validCount, rejected, disconnects }: WireCase,
  received: Buffer,
): string | undefined {
  if (disconnects) return undefined;
  let responses: readonly Response[];
  try {
    responses = readResponses(received, true);
  } catch (error) {
    return (error as Error).message;
  }
  for (const [index, response] of responses.entries()) {
    const problem = findProblem(response);
    if (problem !== undefined) return `response ${index + 1}, ${response.status}: ${problem}`;
  }
  const statuses = responses.map(({ status }) => status);
  // If later bytes are rejected, that response may come before those to valid requests, and ends the connection.
  const firstError = statuses.findIndex((status) => status !== 200);
  const succeeded = firstError === -1 ? statuses.length : firstError;
  // A request pipelined before the previous response ends the connection.
  const hasEnded = responses[succeeded - 1]?.headers.get('connection') === 'close';
  if (succeeded < validCount && !hasEnded && (firstError === -1 || statuses.length !== succeeded + 1))
    return `${validCount} valid requests got ${statuses.join(', ')}`;
  if (rejected && statuses.slice(validCount).some((status) => status < 400))
    return `malformed bytes got ${statuses.join(', ')}`;
  return undefined;
}

function findProblem({ status, headers, body }: Response): string | undefined {
  if (status >= 500 && status !== 501) return 'it is a server error';
  if (!headers.get('x-request-id')) return 'it has no X-Request-Id';
  if (status < 300) return undefined;
  if (status < 400) return status === 301 || status === 304 ? undefined : 'it is a redirection';
  if (!/^application\/json/.test(headers.get('content-type') ?? '')) return 'its body is not JSON';
  try {
    const error = JSON.parse(body.toString()) as Record<string, unknown>;
    const isError =
      typeof error.code === 'string' && typeof error.message === 'string' && Object.keys(error).length === 3;
    if (!isError) return 'its body is not an Error';
    return error.status === status ? undefined : 'its body names another status';
  } catch {
    return 'its body is not JSON';
  }
}
