import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { operation } from '../http/openapi/operation.ts';
import {
  contentsAnswer,
  contentsBody,
  contentsRefusals,
  readContents,
  resetFields,
  writeFilled,
} from './contents.ts';
import { refuseTooManyOrders } from './open-beside.ts';
import type { SandboxServices } from './sandbox.ts';

export const resetSandbox = operation({
  operationId: 'resetSandbox',
  at: 'POST /sandbox/reset',
  summary: 'Reset the store',
  description:
    'Replaces everything in the store in one change: nobody sees half of it. Idempotency keys and armed faults are forgotten, keys keep working, the revision goes on growing. The same data set, seed and `today` make the same orders and pets, byte for byte; `data` is data of your own, checked whole before anything changes. Answered when all of it is there. Of a store, one reset is made at a time, and eight with more than 1,000 orders in all: 503 to the others. One whose client has left is given up.',
  body: contentsBody('ResetInput', resetFields),
  answers: { ...contentsRefusals, 200: contentsAnswer('The store is reset.', 'StoreReset') },
  async handle({ request, caller, body }, services: SandboxServices) {
    const contents = await readContents(services, body);
    if (caller.endsAt !== null) await refuseTooManyOrders(services, caller, contents);
    const { revision } = await services.filler.reset(request, contents);
    return jsonTextAnswer(request, `{${writeFilled(contents, revision)}}`);
  },
});
