import { ApiError } from '../http/errors.ts';
import { tenantCountedAs } from '../http/guards/rate-limit.ts';
import type { Guard } from '../http/server/answer.ts';
import type { Request } from '../http/server/request.ts';
import { hasBody } from '../http/server/request-body.ts';
import type { ConsoleContext } from './console-context.ts';
import { findSession, isOfKey } from './sessions.ts';

const safe = new Set(['GET', 'HEAD']);

/**
 * Lets only the console's own pages pass. Browsers say where a request comes from and no page can change what
 * they say; a change must say it, so that one which comes with a cookie and without an origin is refused, too.
 */
export function refuseOtherOrigins({ method, headers }: Request, baseUrl: string | undefined): undefined {
  const { origin, host, 'sec-fetch-site': site } = headers;
  const isSafe = safe.has(method);
  const isOtherSite = site !== undefined && site !== 'same-origin' && !(site === 'none' && isSafe);
  const isOtherOrigin = origin !== undefined && !isOwn(origin, host, baseUrl);
  const isUnsaid = origin === undefined && site === undefined && !isSafe;
  if (isOtherSite || isOtherOrigin || isUnsaid) throw new ApiError('forbidden_origin');
}

/** Without a base address we do not know by which scheme we are reached, only by which host. */
function isOwn(origin: string, host: string | undefined, baseUrl: string | undefined): boolean {
  if (baseUrl !== undefined) return origin === new URL(baseUrl).origin;
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}

/** A form of another page cannot send JSON: whatever says it is something else did not come from the console. */
export function refuseOtherTypes(request: Request): undefined {
  const type = request.headers['content-type'];
  const isJson = type === undefined ? !hasBody(request) : /^application\/json *(;|$)/i.test(type);
  if (!isJson) throw new ApiError('unsupported_media_type');
}

export function findMember(context: ConsoleContext): Guard {
  const { cookies, visitorOf } = context;
  return async (request) => {
    const cookie = cookies.session.read(request);
    const session =
      cookie === undefined ? undefined : await findSession(context, cookie, visitorOf(request).address);
    request.session = session ?? null;
    if (cookie !== undefined && session?.renewed) cookies.session.write(request, cookie);
    return undefined;
  };
}

/** A browser that never signed in asks who it is, too, at `whoAmI`: that is no error. */
export function refuseVisitors({ cookies }: ConsoleContext, whoAmI: string): Guard {
  return (request) => {
    if (request.session) return undefined;
    if (request.path === whoAmI && cookies.session.read(request) === undefined) return { status: 204 };
    throw new ApiError('not_signed_in');
  };
}

/** A key opens a store. What is about an account, such as other keys, is for whoever has its password. */
export function refuseKeys({ session }: Request): undefined {
  if (session && isOfKey(session))
    throw new ApiError('forbidden', 'This session was opened with a key: sign in to the account for this.');
}

export function countedAs({ visitorOf }: ConsoleContext, request: Request): string {
  const { session } = request;
  if (!session) return `address ${visitorOf(request).address}`;
  if (isOfKey(session)) return tenantCountedAs(session.tenantId);
  return session.tenantId === null ? `account ${session.accountId}` : tenantCountedAs(session.tenantId);
}
