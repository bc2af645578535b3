import { type Check, type Level, levels, upTo } from './check.ts';
import { reach } from './connect.ts';
import { type Context, createContext } from './context.ts';
import { createClient, type Response } from './http.ts';
import { type Result, runChecks, selectChecks } from './run.ts';
import type { Named } from './spec/store.ts';
import { buildSuite } from './suite.ts';

export interface Address {
  readonly url: string;
  readonly key: string;
}

export interface ServiceOptions extends Address {
  readonly level: Level;
  readonly staging?: Address;
  readonly readKey?: string;
  readonly named: Named;
  /** Ids or prefixes of ids, of any level. */
  readonly only?: readonly string[];
  readonly isReadOnly: boolean;
  readonly isDocumentedOnly: boolean;
  /** Timeout of each request. */
  readonly seconds: number;
}

export interface ServiceRun {
  readonly base: string;
  readonly checks: readonly Check[];
  readonly results: AsyncGenerator<Result>;
  /** Removes what the run created, as far as the service allows. */
  cleanUp(): Promise<void>;
}

/** The checks that the options select. Sends nothing. */
export function checksOf(options: Omit<ServiceOptions, 'url' | 'key'>): Check[] {
  const unreachable = createClient('http://127.0.0.1:9/v1', 'none');
  const { staging, readKey } = options;
  return select(
    createContext({
      client: unreachable,
      ...(staging && { staging: unreachable }),
      ...(readKey && { readKey }),
    }),
    options,
  );
}

type Selection = Pick<ServiceOptions, 'level' | 'only' | 'isDocumentedOnly'>;

function select(context: Context, { level, only, isDocumentedOnly }: Selection): Check[] {
  const { checks } = buildSuite(context);
  const chosen = only === undefined ? upTo(level, checks) : selectChecks(checks, only);
  return chosen.filter(({ documented }) => documented || !isDocumentedOnly);
}

/** Reaches the service; throws `NoVerdict` if it can't. */
export async function openRun(options: ServiceOptions): Promise<ServiceRun> {
  const { url, key, staging, readKey, isReadOnly, isDocumentedOnly, seconds } = options;
  const isV1Only = isDocumentedOnly || levelOf(options) !== 'all';
  const record: Response[] = [];
  const clientOptions = {
    record,
    timeoutMs: seconds * 1000,
    isReadOnly,
    waitsForQuota: isV1Only,
    isValidated: isDocumentedOnly,
  };
  const client = await reach(url, key, clientOptions);
  const stagingClient = staging && (await reach(staging.url, staging.key, clientOptions));
  const context = createContext({
    client,
    url: new URL(url),
    named: options.named,
    isV1Only,
    isDocumentedOnly,
    ...(stagingClient && { staging: stagingClient }),
    ...(readKey && { readKey }),
  });
  const checks = select(context, options);
  const isAlive = async () => {
    for (let tries = 0; tries < 2; tries += 1) {
      const hasResponded = await client.send({ path: '/pets', isUnrecorded: true }).then(
        () => true,
        () => false,
      );
      if (hasResponded) return true;
    }
    return false;
  };
  return {
    base: client.base.href,
    checks,
    results: runChecks(checks, {
      responses: () => record,
      isAlive,
    }),
    cleanUp: context.cleanUp,
  };
}

/** The highest level of the selected checks. */
export function levelOf(options: Omit<ServiceOptions, 'url' | 'key'>): Level {
  if (options.only === undefined) return options.level;
  const chosen = checksOf(options);
  return levels.findLast((level) => chosen.some((check) => check.level === level)) ?? options.level;
}
