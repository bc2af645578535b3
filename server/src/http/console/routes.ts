import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readBodies } from '../content/request-body.ts';
import { ApiError } from '../errors.ts';
import { accountRoutes } from './account-routes.ts';
import { asApiError, type ConsoleHandler, type ConsoleOptions } from './handling.ts';
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
export function consoleRoutes(app: FastifyInstance, options: ConsoleOptions): void {
  const { baseUrl, deployment, now } = options;
  const context = { ...options, cookie: sessionCookie(deployment, baseUrl) };

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(apiHeaders);
    refuseOtherOrigins(request, baseUrl);
    refuseOtherTypes(request);
  });
  readBodies(app);

  const handlers = { ...accountRoutes(context), ...keyRoutes(context) };
  const methods = new Map<string, string[]>();
  for (const [name, handle] of Object.entries(handlers)) {
    const [method = '', url = ''] = name.split(' ');
    methods.set(url, [...(methods.get(url) ?? []), method]);
    app.route({
      method,
      url,
      // Asking for a session may hand out a key, which a HEAD would lose.
      exposeHeadRoute: false,
      config: withBody.has(name) ? { bodyTypes: [JSON_TYPE] } : {},
      handler: translated(handle, now),
    });
  }
  for (const [url, allowed] of methods) refuseOtherMethods(app, url, allowed);
  app.all('/*', async () => {
    throw new ApiError('not_found');
  });
}

/** A form of another page cannot send JSON: whatever says it is something else did not come from the console. */
function refuseOtherTypes({ headers }: FastifyRequest): void {
  const type = headers['content-type'];
  if (type !== undefined && !/^application\/json *(;|$)/i.test(type)) {
    throw new ApiError('unsupported_media_type');
  }
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (type === undefined && hasBody) throw new ApiError('unsupported_media_type');
}

function translated(handle: ConsoleHandler, now: () => number): ConsoleHandler {
  return async (request, reply) => {
    try {
      return await handle(request, reply);
    } catch (error) {
      throw asApiError(error, reply, now());
    }
  };
}

function refuseOtherMethods(app: FastifyInstance, url: string, allowed: readonly string[]): void {
  app.route({
    method: app.supportedMethods.filter((method) => !allowed.includes(method)),
    url,
    onRequest: async (_: FastifyRequest, reply: FastifyReply) => {
      reply.header('allow', allowed.join(', '));
      throw new ApiError('method_not_allowed');
    },
    handler: () => {},
  });
}
