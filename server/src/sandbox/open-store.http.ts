import { writeDateTime } from '../http/content/date-time.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { ApiError } from '../http/errors.ts';
import { errorAnswer } from '../http/openapi/document-parts.ts';
import { operation } from '../http/openapi/operation.ts';
import { newKey } from '../keys/create-key.ts';
import { FIRST_REVISION } from '../orders/open-store.ts';
import {
  contentsAnswer,
  contentsBody,
  contentsRefusals,
  newStoreFields,
  readContents,
  writeFilled,
} from './contents.ts';
import { openBeside, refuseTooManyOrders, refuseTooManyStores } from './open-beside.ts';
import type { SandboxServices } from './sandbox.ts';

export const openStoreOperation = operation({
  operationId: 'openStore',
  at: 'POST /sandbox/stores',
  summary: 'Open a store',
  description:
    'A new store with a key to it, for one worker of a test suite. It is filled as by a reset, with the demonstration data unless something else is asked for. Both end together after `expiresIn` seconds, or before by `DELETE /sandbox/stores/current`, and with the store that opened them. 100 may be open at a time. Its requests count as those of the store that opened it.',
  body: contentsBody('NewStoreInput', newStoreFields),
  answers: {
    ...contentsRefusals,
    201: contentsAnswer('The store is open. The key is shown this once.', 'NewStore', {
      key: 'pst_test_…',
      expiresAt: '2026-12-01T10:30:00.000Z',
    }),
    403: errorAnswer('The key may only read, or is that of a store that was opened in this way.', [
      'forbidden',
    ]),
    409: errorAnswer('As many stores are open as may be, or with as many pets or orders.', [
      'store_limit_reached',
      'order_limit_reached',
      'pet_limit_reached',
    ]),
  },
  async handle({ request, caller, body: { expiresIn, ...given } }, services: SandboxServices) {
    if (caller.endsAt !== null)
      throw new ApiError('forbidden', 'A store that was opened by another opens none itself.');
    const { db, writer, clock, deployment, filler } = services;
    const { tenantId } = caller;
    await refuseTooManyStores(db, tenantId, BigInt(clock()));
    const asked = given.data === undefined ? { dataSet: 'default' as const, ...given } : given;
    const contents = await readContents(services, asked);
    await refuseTooManyOrders(services, caller, contents);
    const { key, details } = newKey(deployment, 'sandbox');
    const endsAt = await filler.fill(request, contents, async (preparedId) => {
      const at = BigInt(clock());
      const endsAt = at + expiresIn * 1000n;
      await writer.apply(openBeside, { tenantId, preparedId, key: details, endsAt, at });
      return endsAt;
    });
    const filled = writeFilled(contents, FIRST_REVISION);
    const text = `{${filled},"key":"${key}","expiresAt":"${writeDateTime(endsAt)}"}`;
    return jsonTextAnswer(request, text, 201);
  },
});
