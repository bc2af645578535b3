import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { openRun, type ServiceOptions } from '../src/service/check-service.ts';
import { deviations } from './support/foreign/deviations.ts';
import { createKiosk } from './support/foreign/kiosk.ts';
import { createForeign, type Foreign, foreignKey, serveForeign } from './support/foreign/service.ts';

/** The verdicts of the checks by id, and the reasons of those not passed. */
async function verdicts(service: Foreign, options: Partial<ServiceOptions> = {}) {
  await using served = await serveForeign(service);
  return await verdictsAt(served.url, foreignKey, options);
}

async function verdictsAt(url: string, key: string, options: Partial<ServiceOptions> = {}) {
  const run = await openRun({
    url,
    key,
    level: 'spec',
    named: {},
    seconds: 30,
    isReadOnly: false,
    isDocumentedOnly: false,
    ...options,
  });
  const failed: Record<string, unknown> = {};
  const notChecked: Record<string, string> = {};
  for await (const result of run.results) {
    if (result.verdict === 'failed') failed[result.check.id] = result.error;
    if (result.verdict === 'not checked') notChecked[result.check.id] = result.reason;
  }
  return { failed, notChecked };
}

it('a service that follows the specification passes everything, with its own codes, keys and dates', async () => {
  expect(await verdicts(createForeign())).toEqual({ failed: {}, notChecked: {} });
});

it('so does a strict one that limits the rate; checks it cannot support are reported as not checked', async () => {
  expect(await verdicts(createKiosk())).toEqual({
    failed: {},
    notChecked: {
      'spec.order.complete': 'no order has the field `complete`',
      'spec.order.pet-id': 'no order has the field `petId`',
      'spec.service.pets': 'no pet id found in pets or orders',
    },
  });
});

it.for([
  {
    name: 'one whose list has another order each time and whose orders may lack every field',
    script: 'shop.py',
    key: 'Zm9v.bar~baz+/==',
  },
  {
    name: 'one without an HTTP library, with ids up to 2^63 - 1, whose deprecated operation is gone',
    script: 'desk.py',
    key: 'd0bad0bbd18ed187.~-_+/==',
  },
])('so does $name', async ({ script, key }) => {
  const path = new URL(`support/foreign/${script}`, import.meta.url).pathname;
  const shop = spawn('python3', [path], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = await once(shop.stdout, 'data');
    const verdicts = await verdictsAt(String(line).trim(), key);
    expect(verdicts).toEqual({ failed: {}, notChecked: {} });
  } finally {
    shop.kill();
  }
});

it.for(deviations)('$name: $fails fails', async ({ fails, change }) => {
  const service = createForeign();
  change(service);
  expect(Object.keys((await verdicts(service, { only: [fails] })).failed)).toContain(fails);
});
