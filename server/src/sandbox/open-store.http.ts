import type { DeploymentName } from '../deployment.ts';
import { writeDateTime } from '../http/content/date-time.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { ApiError } from '../http/errors.ts';
import { invalidBody, objectWith } from '../http/fields/body.ts';
import { notFound } from '../http/openapi/answers.ts';
import { errorAnswer } from '../http/openapi/document-parts.ts';
import { everyAnswer } from '../http/openapi/headers.ts';
import { schemaRef } from '../http/openapi/openapi.ts';
import { operation } from '../http/openapi/operation.ts';
import { newKey } from '../keys/create-key.ts';
import type { Writer } from '../writer/writer.ts';
import { jsonWithExamples } from './document-parts.ts';
import { LONGEST_STORE, SHORTEST_STORE, USUAL_STORE } from './limits.ts';
import { openBeside, refuseStoreBeyond } from './open-beside.ts';
import { contentFields, readContents } from './read-contents.ts';
import {
  type ContentsServices,
  contentNames,
  contentsAnswers,
  contentsBody,
  refuseOrdersBeyond,
  shownContents,
  writeFilled,
} from './shown-contents.ts';

interface Services extends ContentsServices {
  readonly writer: Writer;
  readonly deployment: DeploymentName;
}

const shownKey = { key: 'pst_test_…', expiresAt: '2026-12-01T10:30:00.000Z' };

export const openStoreOperation = operation({
  operationId: 'openStore',
  at: 'POST /sandbox/stores',
  stability: 'experimental',
  tag: 'sandbox',
  summary: 'Open a store',
  description:
    'A new store with a key to it, for one worker of a test suite. It is filled as by a reset, with the demonstration data unless something else is asked for. Both end together after `expiresIn` seconds, or before by `DELETE /sandbox/stores/current`, and with the store that opened them. 100 may be open at a time. Its requests count as those of the store that opened it.',
  body: contentsBody('NewStoreInput'),
  answers: {
    ...notFound,
    ...contentsAnswers,
    201: {
      description: 'The store is open. The key is shown this once.',
      headers: everyAnswer,
      ...jsonWithExamples(schemaRef('NewStore'), contentNames, (name) => ({
        ...shownContents[name].answered,
        ...shownKey,
      })),
    },
    403: errorAnswer('The key may only read, or is that of a store that was opened in this way.', [
      'forbidden',
    ]),
    409: errorAnswer('As many stores are open as may be, or with as many pets or orders.', [
      'store_limit_reached',
      'order_limit_reached',
      'pet_limit_reached',
    ]),
  },
  handle:
    (services: Services) =>
    async ({ request, caller, body }) => {
      const { db, writer, clock, quotas, deployment, filler } = services;
      if (caller.endsAt !== null)
        throw new ApiError('forbidden', 'A store that was opened by another opens none itself.');
      const { expiresIn = USUAL_STORE, ...given } = objectWith([...contentFields, 'expiresIn'], body);
      if (typeof expiresIn !== 'bigint' || expiresIn < SHORTEST_STORE || expiresIn > LONGEST_STORE)
        throw invalidBody(`'expiresIn' must be an integer from ${SHORTEST_STORE} to ${LONGEST_STORE}`);
      const { tenantId } = caller;
      await refuseStoreBeyond(db, tenantId, BigInt(clock()));
      const isDefault = given.dataSet === undefined && given.data === undefined;
      const asked = isDefault ? { dataSet: 'default', ...given } : given;
      const contents = await readContents(asked, clock(), quotas);
      await refuseOrdersBeyond(services, caller, contents);
      const { key, details } = newKey(deployment, 'sandbox');
      const isAbandoned = () => request.raw.socket.destroyed;
      let endsAt = 0n;
      const filled = await filler.make({ caller, contents, isAbandoned }, (by) => {
        const at = BigInt(clock());
        endsAt = at + expiresIn * 1000n;
        const opened = { tenantId, by, key: { ...details, expiresAt: endsAt }, endsAt, at };
        return writer.apply(openBeside, opened);
      });
      const shown = `{${writeFilled(contents, filled)},"key":"${key}","expiresAt":"${writeDateTime(endsAt)}"}`;
      return jsonTextAnswer(request, shown, 201);
    },
});
