import { apiHeaders } from '../http/content/security-headers.ts';
import { limitRate } from '../http/guards/rate-limit.ts';
import type { Guard, Handler } from '../http/server/answer.ts';
import type { Routes, Steps } from '../http/server/routes.ts';
import { accountRoutes } from './account-routes.ts';
import { openContext } from './console-context.ts';
import {
  countedAs,
  findMember,
  refuseKeys,
  refuseOtherOrigins,
  refuseOtherTypes,
  refuseVisitors,
} from './console-guards.ts';
import type { ConsoleOptions } from './console-options.ts';
import { keyRoutes } from './key-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import type { AccountSession, AnySession } from './sessions.ts';
import { visitorRoutes } from './visitor-routes.ts';

const PREFIX = '/console/api';

export function serveConsoleApi(routes: Routes, options: ConsoleOptions): void {
  const { baseUrl, counts, admit } = options;
  const context = openContext(options);
  const guards: Guard[] = [
    (request) => {
      request.answerHeaders.push(...apiHeaders);
      return undefined;
    },
    (request) => refuseOtherOrigins(request, baseUrl),
    refuseOtherTypes,
  ];
  const limits = counts ? [limitRate(counts, (request) => countedAs(context, request))] : [];
  const forVisitors = [...guards, ...limits];
  const inShare = admit(({ session }) => session?.tenantId);
  const forAnybody = [...guards, findMember(context), ...limits];
  const forSessions = [...forAnybody, refuseVisitors, inShare];
  const forMembers = [...forSessions, refuseKeys];

  const resources = new Map<string, Record<string, Steps>>();
  const serve = (name: string, all: readonly Guard[], handle: Handler) => {
    const [method = '', url = ''] = name.split(' ');
    resources.set(url, { ...resources.get(url), [method]: [...all, handle] });
  };
  for (const [name, handle] of Object.entries(visitorRoutes(context))) serve(name, forVisitors, handle);
  const greetNobody: Guard = (request) =>
    context.cookies.session.read(request) === undefined ? { status: 204 } : undefined;
  for (const [name, handle] of Object.entries(sessionRoutes(context))) {
    // A browser that never signed in asks who it is, too: that is no error.
    const all = name === 'GET /session' ? [...forAnybody, greetNobody, refuseVisitors, inShare] : forSessions;
    serve(name, all, (request) => handle(request.session as AnySession, request));
  }
  const members = { ...accountRoutes(context), ...keyRoutes(context) };
  for (const [name, handle] of Object.entries(members)) {
    serve(name, forMembers, (request) => handle(request.session as AccountSession, request));
  }
  // Asking for a session may hand out a key, which a HEAD would lose.
  for (const [url, methods] of resources) routes.serveExactly(PREFIX + url, methods, forVisitors);
  routes.refuseOthers(PREFIX, forVisitors);
}
