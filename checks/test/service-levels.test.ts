import { expect, it } from 'vitest';
import { openRun, type ServiceOptions } from '../src/service/check-service.ts';
import { deviations } from './support/foreign/deviations.ts';
import { createForeign, type Foreign, foreignKey, serveForeign } from './support/foreign/service.ts';

/** The verdicts of the checks by id, and the reasons of those not passed. */
async function verdicts(service: Foreign, options: Partial<ServiceOptions> = {}) {
  await using served = await serveForeign(service);
  const run = await openRun({
    ...{ url: served.url, key: foreignKey, level: 'spec', named: {}, seconds: 30 },
    ...{ isReadOnly: false, isDocumentedOnly: false },
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

it.for(deviations)('$name: $fails fails', async ({ fails, change }) => {
  const service = createForeign();
  change(service);
  expect(Object.keys((await verdicts(service, { only: [fails] })).failed)).toContain(fails);
});
