import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BugHooks } from '../src/bugs/bug.ts';
import { startBugProxy } from '../src/bugs/bug-proxy.ts';
import { catalogue } from '../src/bugs/catalogue.ts';
import type { Operation } from '../src/bugs/operations.ts';
import { createContext } from '../src/service/context.ts';
import { type Client, createClient } from '../src/service/http.ts';
import { runChecks, selectChecks } from '../src/service/run.ts';
import { buildSuite } from '../src/service/suite.ts';
import { mutants as allMutants } from './support/mutants/all.ts';
import { type Deployment, startService } from './support/service.ts';

interface Wrong {
  readonly name: string;
  readonly hooks: BugHooks;
  readonly operation?: Operation | undefined;
  /** Prefixes of the ids of the checks to run. */
  readonly selected: readonly string[];
}

/** Checks on every response need some: those of a section about successes, and of one about errors. */
function withResponses(id: string): string[] {
  if (id === 'all')
    return ['v1.endpoints', 'v1.pets', 'all.error-object', 'all.codes', 'all.no-5xx', 'all.no-429'].concat([
      'all.request-id',
      'all.no-secrets',
    ]);
  const some = [
    'v2.place',
    'v2.orders',
    'v2.pets',
    'v2.pages',
    'v2.keys',
    'v2.own-data',
    'v2.stream.refused',
  ];
  return id.startsWith('all.responses')
    ? [...some, 'v2.webhooks.newest-first', 'v2.webhooks.deliveries', 'all.inputs', id]
    : [id];
}

const mutants: Wrong[] = allMutants.map(({ name, noticedBy, operation, ...hooks }) => ({
  name,
  operation,
  hooks,
  selected: withResponses(noticedBy),
}));

/** The sections that look at an operation with a planted bug. */
const sections: Partial<Record<Operation, readonly string[]>> = {
  'v1.listOrders': ['v1.list', 'v1.cancel', 'v1.exactness', 'v1.caching'],
  'v1.cancelOrder': ['v1.cancel', 'v1.errors', 'v1.ids'],
  'v1.listPets': ['v1.pet', 'v1.pets'],
  'v1.getPet': ['v1.pets'],
  'v2.placeOrder': ['v2.place', 'v2.idempotency', 'v2.stock'],
  'v2.getOrder': ['v2.orders'],
  'v2.cancelOrder': ['v2.orders', 'v2.stock'],
  'v2.shipOrder': ['v2.orders'],
  'v2.deliverOrder': ['v2.orders'],
  'v2.getOrderHistory': ['v2.orders'],
  'v2.getPet': ['v2.stock'],
  'v2.getSummary': ['v2.summary'],
  'v2.listOrders': ['v2.pages', 'v2.filters'],
  'v2.listEvents': ['v2.events'],
  'v2.streamEvents': ['v2.stream'],
};
const ofSecurity = ['v2.security', 'v2.read-key.changes', 'v2.webhooks.test'];
const bugs: Wrong[] = catalogue.map(({ id, summary, operation, createHooks, owasp }) => ({
  name: `${id}: ${summary}`,
  hooks: createHooks(),
  operation,
  selected: owasp ? ofSecurity : (sections[operation] ?? []),
}));

const runsAll = (process.env.MUTANTS ?? process.env.EFFORT) === 'all';

describe('the suite', () => {
  let service: Awaited<ReturnType<typeof startService>>;
  let readKey: string;
  beforeAll(async () => {
    service = await startService();
    readKey = await service.createReadKey();
  });
  afterAll(() => service?.[Symbol.asyncDispose]());

  const clientOf = (origin: string, { key }: Deployment): Client => createClient(`${origin}/v1`, key);

  /** No run finds what an earlier one left in staging: faults that are armed, another data set. */
  const resetStaging = () => {
    const direct = clientOf(`http://127.0.0.1:${service.staging.port}`, service.staging);
    return createContext({ client: direct }).v2.send('POST', '/sandbox/reset', '{"dataSet":"default"}');
  };

  /** The checks that fail behind the proxy, up to the first where one is enough. */
  const broken = async (wrong: Partial<Wrong>, stopsAtFirst = true): Promise<string[]> => {
    await resetStaging();
    const { hooks = {}, operation, selected } = wrong;
    const proxyOf = ({ port: target }: Deployment) => startBugProxy({ target, hooks, operation });
    await using production = await proxyOf(service.production);
    await using staging = await proxyOf(service.staging);
    const context = createContext({
      client: clientOf(production.origin, service.production),
      readKey,
      staging: clientOf(staging.origin, service.staging),
    });
    const { checks } = buildSuite(context);
    const failed: string[] = [];
    for await (const { check, verdict } of runChecks(selected ? selectChecks(checks, selected) : checks)) {
      if (verdict === 'failed') failed.push(check.id);
      if (stopsAtFirst && failed.length > 0) break;
    }
    await context.cleanUp();
    return failed;
  };

  it('names every mutant uniquely', () => {
    const names = [...mutants, ...bugs].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('references only existing checks', () => {
    const nowhere = createClient('http://127.0.0.1:1/v1', 'none');
    const { checks } = buildSuite(createContext({ client: nowhere, staging: nowhere, readKey: 'none' }));
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
    for (const { selected } of [...mutants, ...bugs]) {
      for (const id of selected) expect(selectChecks(checks, [id])).not.toEqual([]);
    }
  });

  it.for([...mutants, ...bugs].filter((_, i) => runsAll || i % 10 === 0))(
    'notices that $name',
    async (wrong) => {
      expect(await broken(wrong)).not.toEqual([]);
    },
  );

  it('checks only version 1 if there is no version 2', async () => {
    const request: BugHooks['request'] = (forwarded) => {
      forwarded.path = forwarded.path.replace(/^\/v2/, '/nowhere');
    };
    expect(await broken({ hooks: { request } }, false)).toEqual([]);
  });

  // After all of them, so that no mutant was noticed by what an earlier one left behind.
  const harmless = { 'reads everything': { request: () => {}, response: () => {} }, 'reads nothing': {} };
  it.for(Object.entries(harmless).slice(0, runsAll ? 2 : 1))(
    'finds no defect in a correct service behind a proxy that %s',
    async ([, hooks]) => {
      // The previous test covers version 1.
      expect(await broken({ hooks, ...(!runsAll && { selected: ['v2'] }) }, false)).toEqual([]);
    },
  );
});
