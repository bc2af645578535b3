import { ApiError } from '../http/errors.ts';
import type { Guard, Request } from '../http/server/request.ts';
import { hasBody } from '../http/server/request-body.ts';
import type { Routes, Steps } from '../http/server/routes.ts';
import { tenantCountedAs } from '../rate-limiting/limit-requests.ts';
import { accountRoutes } from './account-routes.ts';
import type { ConsoleContext, ConsoleOptions, MemberHandler } from './console-context.ts';
import { openContext } from './console-context.ts';
import { type AccountSession, findSession, isOfKey } from './find-sessions.ts';
import { sessionRoutes } from './session-routes.ts';
import { visitorRoutes } from './visitor-routes.ts';

const PREFIX = '/console/api';

const apiHeaders = Object.entries({
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}).flat();

export function serveConsoleApi(routes: Routes, options: ConsoleOptions): void {
  const { baseUrl, limitsFor, admit } = options;
  const context = openContext(options);
  const guards: Guard[] = [
    ({ responseHeaders }) => void responseHeaders.push(...apiHeaders),
    (request) => rejectOtherOrigins(request, baseUrl),
    rejectOtherContentTypes,
  ];
  const limits = limitsFor(countedAs);
  const forVisitors = [...guards, ...limits];
  const inShare = admit(({ session }) => session?.tenantId);
  const forSessions = [...guards, readSession(context), ...limits, requireSession(context), inShare];

  const resources = new Map<string, Record<string, Steps>>();
  const serve = (handlers: Record<string, MemberHandler>, before: readonly Guard[]) => {
    for (const [name, handle] of Object.entries(handlers)) {
      const [method = '', url = ''] = name.split(' ');
      // The guards see to it that there is a session where a handler takes one.
      const last: Guard = (request) => handle(request, request.session as AccountSession);
      resources.set(url, { ...resources.get(url), [method]: [...before, last] });
    }
  };
  serve(visitorRoutes(context), forVisitors);
  serve(sessionRoutes(context), forSessions);
  serve(accountRoutes(context), [...forSessions, rejectKeys]);
  // Asking for a session may hand out a key, which a HEAD would lose.
  for (const [url, methods] of resources) routes.serveExactly(PREFIX + url, methods, forVisitors);
  routes.rejectOtherPaths(PREFIX, forVisitors);
}

/**
 * Lets only the console's own pages pass. Browsers say where a request comes from and no page can change what
 * they say; a change must say it, so that one which comes with a cookie and without an origin is refused, too.
 */
function rejectOtherOrigins({ method, headers }: Request, baseUrl: string | undefined): undefined {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isRead = method === 'GET' || method === 'HEAD';
  const isOtherSite = site !== undefined && site !== 'same-origin' && !(site === 'none' && isRead);
  const isOtherOrigin = origin !== undefined && !isOwn(origin, host, baseUrl);
  const isUnsaid = origin === undefined && site === undefined && !isRead;
  if (isOtherSite || isOtherOrigin || isUnsaid) throw new ApiError('forbidden_origin');
}

/** Without a base address we do not know by which scheme we are reached, only by which host. */
function isOwn(origin: string, host: string | undefined, baseUrl: string | undefined): boolean {
  if (baseUrl !== undefined) return origin === new URL(baseUrl).origin;
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/** A form of another page cannot send JSON: whatever says it is something else did not come from the console. */
function rejectOtherContentTypes(request: Request): undefined {
  const type = request.headers['content-type'];
  const isJson = type === undefined ? !hasBody(request) : /^application\/json *(;|$)/i.test(type);
  if (!isJson) throw new ApiError('unsupported_media_type');
}

function readSession(context: ConsoleContext): Guard {
  const { session: cookies } = context.cookies;
  return async (request) => {
    const cookie = cookies.read(request);
    if (cookie === undefined) return undefined;
    request.session = await findSession(context, cookie, request.address);
    if (request.session?.renewed) cookies.write(request, cookie);
    return undefined;
  };
}

/** A browser that never signed in asks who it is, too: that is no error. */
function requireSession({ cookies }: ConsoleContext): Guard {
  return (request) => {
    if (isOfPage(request)) return undefined;
    const isWhoAmI = request.path === `${PREFIX}/session`;
    if (isWhoAmI && cookies.session.read(request) === undefined) return { status: 204 };
    throw new ApiError('not_signed_in');
  };
}

/** A page shows one account, and says which: the cookie may be of another, who signed in on a second tab. */
function isOfPage({ headers: { 'x-signed-in-as': shown }, session }: Request): boolean {
  const who = session && isOfKey(session) ? session.keyId : session?.email;
  return who !== undefined && (shown ?? who) === who;
}

/** A key opens a store. What is about an account, such as other keys, is for whoever has its password. */
function rejectKeys({ session }: Request): undefined {
  if (session && isOfKey(session))
    throw new ApiError('forbidden', 'This session was opened with a key: sign in to the account for this.');
}

function countedAs({ session, address }: Request): string {
  return session ? tenantCountedAs(session.tenantId) : `address ${address}`;
}
