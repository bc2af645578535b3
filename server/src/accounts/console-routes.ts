import { ApiError } from '../http/errors.ts';
import type { Guard, Request } from '../http/server/request.ts';
import { hasBody } from '../http/server/request-body.ts';
import type { Routes, Steps } from '../http/server/routes.ts';
import { tenantSubject } from '../rate-limiting/limit-requests.ts';
import { accountRoutes } from './account-routes.ts';
import type { AccountHandler, ConsoleContext, ConsoleOptions } from './console-context.ts';
import { createContext } from './console-context.ts';
import { type AccountSession, findSession, isKeySession } from './find-sessions.ts';
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
  const context = createContext(options);
  const commonGuards: Guard[] = [
    ({ responseHeaders }) => void responseHeaders.push(...apiHeaders),
    (request) => rejectOtherOrigins(request, baseUrl),
    rejectOtherContentTypes,
  ];
  const limits = limitsFor(subjectOf);
  const visitorGuards = [...commonGuards, ...limits];
  const admitFairly = admit(({ session }) => session?.tenantId);
  const sessionGuards = [
    ...commonGuards,
    readSession(context),
    ...limits,
    requireSession(context),
    admitFairly,
  ];

  const resources = new Map<string, Record<string, Steps>>();
  const serve = (handlers: Record<string, AccountHandler>, guards: readonly Guard[]) => {
    for (const [name, handle] of Object.entries(handlers)) {
      const [method = '', url = ''] = name.split(' ');
      // The guards ensure that handlers that use a session have one.
      const step: Guard = (request) => handle(request, request.session as AccountSession);
      resources.set(url, { ...resources.get(url), [method]: [...guards, step] });
    }
  };
  serve(visitorRoutes(context), visitorGuards);
  serve(sessionRoutes(context), sessionGuards);
  serve(accountRoutes(context), [...sessionGuards, rejectKeySessions]);
  for (const [url, methods] of resources) routes.serveWithoutHead(PREFIX + url, methods, visitorGuards);
  routes.rejectOtherPaths(PREFIX, visitorGuards);
}

/** Accepts only the console's own pages, by headers that pages cannot forge. A change must have one of them. */
function rejectOtherOrigins({ method, headers }: Request, baseUrl: string | undefined): undefined {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isRead = method === 'GET' || method === 'HEAD';
  const isOtherSite = site !== undefined && site !== 'same-origin' && !(site === 'none' && isRead);
  const isOtherOrigin = origin !== undefined && !isSameOrigin(origin, host, baseUrl);
  const isUnknown = origin === undefined && site === undefined && !isRead;
  if (isOtherSite || isOtherOrigin || isUnknown) throw new ApiError('forbidden_origin');
}

/** Without a base address, only the host is known, not the scheme. */
function isSameOrigin(origin: string, host: string | undefined, baseUrl: string | undefined): boolean {
  if (baseUrl !== undefined) return origin === new URL(baseUrl).origin;
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/** HTML forms on other sites cannot send JSON, and the console sends nothing else. */
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
    if (request.session?.isRenewed) cookies.write(request, cookie);
    return undefined;
  };
}

/** `/session` without a cookie is not an error: signed-out browsers request it, too. */
function requireSession({ cookies }: ConsoleContext): Guard {
  return (request) => {
    if (matchesPage(request)) return undefined;
    const isSessionRequest = request.path === `${PREFIX}/session`;
    if (isSessionRequest && cookies.session.read(request) === undefined) return { status: 204 };
    throw new ApiError('not_signed_in');
  };
}

/** A page names the account it shows: in another tab, the browser may have signed in to a different one. */
function matchesPage({ headers: { 'x-signed-in-as': expected }, session }: Request): boolean {
  const signedIn = session && isKeySession(session) ? session.keyId : session?.email;
  return signedIn !== undefined && (expected ?? signedIn) === signedIn;
}

/** A session opened with a key has access to its store, but not to the account, which includes other keys. */
function rejectKeySessions({ session }: Request): undefined {
  if (session && isKeySession(session))
    throw new ApiError('forbidden', 'This session was opened with a key: sign in to the account for this.');
}

function subjectOf({ session, address }: Request): string {
  return session ? tenantSubject(session.tenantId) : `address ${address}`;
}
