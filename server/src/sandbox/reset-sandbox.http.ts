import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { objectWith } from '../http/fields/body.ts';
import { notFound } from '../http/openapi/answers.ts';
import { everyAnswer } from '../http/openapi/headers.ts';
import { schemaRef } from '../http/openapi/openapi.ts';
import { operation } from '../http/openapi/operation.ts';
import { jsonWithExamples } from './document-parts.ts';
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

export const resetSandbox = operation({
  operationId: 'resetSandbox',
  at: 'POST /sandbox/reset',
  stability: 'experimental',
  tag: 'sandbox',
  summary: 'Reset the store',
  description:
    'Replaces everything in the store in one change: nobody sees half of it. Idempotency keys and armed faults are forgotten, keys keep working, the revision goes on growing. The same data set, seed and `today` make the same orders and pets, byte for byte; `data` is data of your own, checked whole before anything changes. Answered when all of it is there. Of a store, one reset is made at a time, and eight with more than 1,000 orders in all: 503 to the others. One whose client has left is given up.',
  body: contentsBody('ResetInput'),
  answers: {
    ...notFound,
    ...contentsAnswers,
    200: {
      description: 'The store is reset.',
      headers: everyAnswer,
      ...jsonWithExamples(schemaRef('StoreReset'), contentNames, (name) => shownContents[name].answered),
    },
  },
  handle:
    (services: ContentsServices) =>
    async ({ request, caller, body }) => {
      const { clock, quotas, filler } = services;
      const contents = await readContents(objectWith(contentFields, body), clock(), quotas);
      if (caller.endsAt !== null) await refuseOrdersBeyond(services, caller, contents);
      const isAbandoned = () => request.raw.socket.destroyed;
      const filled = await filler.reset({ caller, contents, isAbandoned });
      return jsonTextAnswer(request, `{${writeFilled(contents, filled)}}`);
    },
});
