import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { operation } from '../http/openapi/operation.ts';
import type { SandboxServices } from './sandbox.ts';
import { armedAnswer, writeFaults } from './shown-faults.ts';

export const listFaults = operation({
  operationId: 'listFaults',
  at: 'GET /sandbox/faults',
  summary: 'List the armed faults',
  description: 'In their order, with how often each has fired.',
  answers: { 200: armedAnswer('The armed faults.') },
  async handle({ request, storeId }, { db, clock }: SandboxServices) {
    return jsonTextAnswer(request, await writeFaults(db, storeId, clock()));
  },
});
