import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { about, knownMethods, methodNotAllowed, notFound } from '../openapi/operation.ts';
import { answering, type Handler, type Send } from '../server/answer.ts';
import { type Guard, passing } from '../server/guard.ts';
import { noOperation } from '../server/request.ts';
import { ignoreOtherBodies, readBodies } from '../server/request-body.ts';
import { accountRoutes } from './account-routes.ts';
import { asApiError, type ConsoleOptions } from './handling.ts';
import { keyRoutes } from './key-routes.ts';
import { refuseOtherOrigins } from './own-origin.ts';
import { apiHeaders } from './security-headers.ts';
import { sessionCookie } from './session-cookie.ts';

const JSON_TYPE = 'application/json';
const withBody = new Set([
  'POST /sign-up',
  'POST /sign-in',
  'POST /change-password',
  'DELETE /account',
  'POST /keys',
  'POST /keys/:keyId/roll',
]);

/** What the console's pages ask for with their session's cookie, at `/console/api`. */
export function consoleRoutes(app: FastifyInstance, send: Send, options: ConsoleOptions): void {
  const { baseUrl, deployment, now } = options;
  const context = { ...options, cookie: sessionCookie(deployment, baseUrl) };
  const guards: Guard[] = [
    (request) => void request.answerHeaders.push(...apiHeaders),
    (request) => refuseOtherOrigins(request, baseUrl),
    refuseOtherTypes,
    ignoreOtherBodies,
  ];
  readBodies(app);

  const known = knownMethods(app);
  const refuse = (method: string[], url: string, guard: Guard) =>
    app.route({ method, url, onRequest: passing([...guards, guard], send), handler: () => {} });
  const methods = new Map<string, string[]>();
  for (const [name, handle] of Object.entries({ ...accountRoutes(context), ...keyRoutes(context) })) {
    const [method = '', url = ''] = name.split(' ');
    methods.set(url, [...(methods.get(url) ?? []), method]);
    const operation = withBody.has(name) ? { bodyTypes: [JSON_TYPE] } : noOperation;
    app.route({
      method,
      url,
      // Asking for a session may hand out a key, which a HEAD would lose.
      exposeHeadRoute: false,
      onRequest: passing([about(operation), ...guards], send),
      handler: answering(translated(handle, now), send),
    });
  }
  for (const [url, allowed] of methods) {
    refuse(
      known.filter((method) => !allowed.includes(method)),
      url,
      methodNotAllowed(allowed),
    );
  }
  refuse(known, '/*', notFound);
}

/** A form of another page cannot send JSON: whatever says it is something else did not come from the console. */
function refuseOtherTypes({ headers }: FastifyRequest): undefined {
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/json *(;|$)/i.test(type)) {
    throw new ApiError('unsupported_media_type');
  }
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (type === undefined && hasBody) throw new ApiError('unsupported_media_type');
}

function translated(handle: Handler, now: () => number): Handler {
  return async (request) => {
    try {
      return await handle(request);
    } catch (error) {
      throw asApiError(error, now());
    }
  };
}
