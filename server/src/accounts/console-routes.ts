import { apiHeaders } from '../http/content/security-headers.ts';
import { ApiError } from '../http/errors.ts';
import { limitRate, tenantCountedAs } from '../http/guards/rate-limit.ts';
import type { Handler } from '../http/server/answer.ts';
import type { Guard } from '../http/server/guard.ts';
import type { Request } from '../http/server/request.ts';
import { hasBody, readBody } from '../http/server/request-body.ts';
import type { Routes, Steps } from '../http/server/routes.ts';
import { accountRoutes, sessionRoutes, visitorRoutes } from './account-routes.ts';
import { type ConsoleContext, type ConsoleOptions, visitor } from './console-handling.ts';
import { keyRoutes } from './key-routes.ts';
import { refuseOtherOrigins } from './own-origin.ts';
import { isOfKey, type KeySession, type Session } from './session.ts';
import { consoleCookies } from './session-cookie.ts';
import { trailRoutes } from './trail-routes.ts';

const PREFIX = '/console/api';
const readJson = readBody();
const withBody = new Set([
  'POST /sign-up',
  'POST /sign-in',
  'POST /open-with-key',
  'POST /change-password',
  'DELETE /account',
  'POST /keys',
  'POST /keys/:keyId/roll',
]);

/** Serves the calls of the console's pages, which come with their session's cookie. */
export function serveConsoleApi(routes: Routes, options: ConsoleOptions): void {
  const { baseUrl, deployment, counts, admit } = options;
  const cookies = consoleCookies(deployment, baseUrl);
  const visitorOf = (request: Request) => visitor(request, cookies, options);
  const context = { ...options, cookies, visitorOf };
  const guards: Guard[] = [
    (request) => {
      request.answerHeaders.push(...apiHeaders);
      return undefined;
    },
    (request) => refuseOtherOrigins(request, baseUrl),
    refuseOtherTypes,
  ];
  const limits = counts ? [limitRate(counts, (request) => countedAs(request, visitorOf))] : [];
  const forVisitors = [...guards, ...limits];
  const inShare = admit(({ session }) => session?.tenantId);
  const forAnybody = [...guards, findMember(context), ...limits];
  const forSessions = [...forAnybody, refuseVisitors, inShare];
  const forMembers = [...forSessions, refuseKeys];

  const resources = new Map<string, Record<string, Steps>>();
  const serve = (name: string, all: readonly Guard[], handle: Handler) => {
    const [method = '', url = ''] = name.split(' ');
    const reading = withBody.has(name) ? [readJson] : [];
    const steps = [...all, ...reading, handle];
    resources.set(url, { ...resources.get(url), [method]: steps });
  };
  for (const [name, handle] of Object.entries(visitorRoutes(context))) serve(name, forVisitors, handle);
  const greetNobody: Guard = (request) =>
    cookies.session.read(request) === undefined ? { status: 204 } : undefined;
  for (const [name, handle] of Object.entries(sessionRoutes(context))) {
    // A browser that never signed in asks who it is, too: that is no error.
    const all = name === 'GET /session' ? [...forAnybody, greetNobody, refuseVisitors, inShare] : forSessions;
    serve(name, all, (request) => handle(request.session as Session | KeySession, request));
  }
  const members = { ...accountRoutes(context), ...keyRoutes(context), ...trailRoutes(context) };
  for (const [name, handle] of Object.entries(members)) {
    serve(name, forMembers, (request) => handle(request.session as Session, request));
  }
  // Asking for a session may hand out a key, which a HEAD would lose.
  for (const [url, methods] of resources) routes.serveExactly(PREFIX + url, methods, forVisitors);
  routes.refuseOthers(PREFIX, forVisitors);
}

function findMember({ accounts, cookies, visitorOf }: ConsoleContext): Guard {
  return async (request) => {
    const token = cookies.session.read(request);
    const session = token === undefined ? undefined : await accounts.findSession(token, visitorOf(request));
    request.session = session ?? null;
    if (token !== undefined && session?.renewed) cookies.session.write(request, token);
    return undefined;
  };
}

function refuseVisitors({ session }: Request): undefined {
  if (!session) throw new ApiError('not_signed_in');
}

/** A key opens a store. What is about an account, such as other keys, is for whoever has its password. */
function refuseKeys({ session }: Request): undefined {
  if (session && isOfKey(session))
    throw new ApiError('forbidden', 'This session was opened with a key: sign in to the account for this.');
}

/** A member's requests count with those of their store, a visitor's with those of their address. */
function countedAs(request: Request, visitorOf: ConsoleContext['visitorOf']): string {
  const { session } = request;
  if (!session) return `address ${visitorOf(request).address}`;
  if (isOfKey(session)) return tenantCountedAs(session.tenantId);
  return session.tenantId === null ? `account ${session.accountId}` : tenantCountedAs(session.tenantId);
}

/** A form of another page cannot send JSON: whatever says it is something else did not come from the console. */
function refuseOtherTypes(request: Request): undefined {
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/json *(;|$)/i.test(type)) {
    throw new ApiError('unsupported_media_type');
  }
  if (type === undefined && hasBody(request)) throw new ApiError('unsupported_media_type');
}
