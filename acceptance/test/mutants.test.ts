import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBreakingProxy } from '../src/bugs/breaking-proxy.ts';
import type { Breaking } from '../src/bugs/bug.ts';
import { catalogue } from '../src/bugs/catalogue.ts';
import type { Operation } from '../src/bugs/operations.ts';
import { CannotProve } from '../src/check.ts';
import { createContext } from '../src/context.ts';
import { type Client, createClient } from '../src/http.ts';
import { buildSuite } from '../src/suite.ts';
import { ofData } from './support/mutants/data.ts';
import { ofProtocol } from './support/mutants/protocol.ts';
import { ofRefusals } from './support/mutants/refusals.ts';
import { type Deployment, startService } from './support/service.ts';

const mutants = [...ofData, ...ofRefusals, ...ofProtocol];
const everyAnswer = 'Every answer of this run';

describe('the suite', () => {
  let service: Awaited<ReturnType<typeof startService>>;
  let hasSandbox = false;
  beforeAll(async () => {
    service = await startService();
    const direct = clientOf(`http://127.0.0.1:${service.staging.port}`, service.staging);
    const answer = await direct.send({ prefix: '/v2', path: '/sandbox/faults' });
    hasSandbox = answer.status === 200;
  });
  afterAll(() => service?.[Symbol.asyncDispose]());

  const clientOf = (origin: string, { key }: Deployment): Client => createClient(`${origin}/v1`, key);

  /** Every run cancels some orders: others take their place. */
  const replenish = async (deployment: Deployment) => {
    const direct = clientOf(`http://127.0.0.1:${deployment.port}`, deployment);
    const call = { prefix: '/v2', headers: { 'Content-Type': 'application/json' } };
    await direct.send({ ...call, method: 'PATCH', path: '/pets/1', body: '{"stock":100}' });
    for (let count = 0; count < 8; count += 1) {
      await direct.send({ ...call, method: 'POST', path: '/store/orders', body: '{"petId":1,"quantity":1}' });
    }
  };

  /** The sentences that the suite finds broken behind the proxy. */
  const broken = async (breaking: Breaking, section?: string, operation?: Operation): Promise<string[]> => {
    await replenish(service.production);
    await replenish(service.staging);
    await using production = await startBreakingProxy({
      target: service.production.port,
      breaking,
      operation,
    });
    await using staging = await startBreakingProxy({ target: service.staging.port, breaking, operation });
    const twin = clientOf(staging.origin, service.staging);
    const context = createContext(clientOf(production.origin, service.production), twin);
    const failed: string[] = [];
    for (const entry of buildSuite(context).entries) {
      if (!('run' in entry)) continue;
      // What is said of every answer needs some: those of the first section, and of one with errors.
      const sections = section === everyAnswer ? [section, 'Endpoints', 'Endpoints: pets'] : [section];
      if (section !== undefined && !sections.includes(entry.section)) continue;
      try {
        await entry.run();
      } catch (error) {
        if (error instanceof CannotProve) continue;
        if (section === undefined || entry.section === section) failed.push(entry.sentence);
        if (section !== undefined && failed.length > 0) break;
      }
    }
    return failed;
  };

  it('finds nothing where nothing is broken, also behind a proxy that reads everything', async () => {
    expect(await broken({})).toEqual([]);
    expect(await broken({ request: () => {}, answer: () => {} })).toEqual([]);
  });

  it('knows every mutant by a name of its own', () => {
    expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  });

  it.for(mutants.filter((_, i) => process.env.MUTANTS === 'all' || i % 3 === 0))(
    'notices that $name',
    async ({ section, needsSandbox, ...mutant }, { skip }) => {
      if (needsSandbox && !hasSandbox) return skip('the service has no sandbox');
      expect(await broken(mutant, section)).not.toEqual([]);
    },
  );

  // The suite has no checks of version 2 yet.
  it.for(catalogue.filter(({ operation }) => operation.startsWith('v1.')))(
    'notices the planted bug $id',
    async ({ breaks, operation }) => {
      expect(await broken(breaks(), undefined, operation)).not.toEqual([]);
    },
  );
});
