import type { Logger } from 'pino';
import type { V2Services } from '../api/v2-document.ts';
import { memoizeAsync } from '../concurrency/memoize-async.ts';
import { ApiError } from '../http/errors.ts';
import { setOperation } from '../http/operations/serve-version.ts';
import type { Guard, Handler } from '../http/server/request.ts';
import { readBody } from '../http/server/request-body.ts';
import type { Routes } from '../http/server/routes.ts';

/** `/mcp`: the operations on orders and pets as tools of the Model Context Protocol. */
export function serveMcp(routes: Routes, guards: readonly Guard[], services: V2Services, log: Logger): void {
  const createOnce = memoizeAsync(async () => (await import('./create-mcp.ts')).createMcp(services, log));
  const handler: Handler = async (request) => {
    if (request.body === undefined) throw new ApiError('invalid_body', 'Send an MCP message as the body.');
    if (Array.isArray(request.body))
      throw new ApiError('invalid_body', 'Send one message per request: batches are not supported.');
    return (await createOnce())(request);
  };
  const steps = [setOperation({ operationId: 'mcp', fullName: 'mcp' }), ...guards, readBody(), handler];
  routes.serve('/mcp', { POST: steps }, guards);
  routes.rejectOtherPaths('/mcp', guards);
}
