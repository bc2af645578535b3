import type { Connection } from '../database/engine.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { notFound } from '../http/openapi/answers.ts';
import { operation } from '../http/openapi/operation.ts';
import type { Writer } from '../writer/writer.ts';
import { armFaults } from './armed-faults.ts';
import type { DocumentedErrors } from './documented-errors.ts';
import { armedAnswer, faultsBody, readFaults, writeFaults } from './shown-faults.ts';

interface Services {
  readonly db: Connection;
  readonly writer: Writer;
  readonly clock: () => number;
  readonly documented: DocumentedErrors;
}

export const armFaultsOperation = operation({
  operationId: 'armFaults',
  at: 'PUT /sandbox/faults',
  stability: 'experimental',
  tag: 'sandbox',
  summary: 'Arm faults',
  description:
    'Replaces those that were armed. They hold on all replicas, and end with a reset or after 24 hours. No fault touches the sandbox itself.',
  body: { read: (body) => body, content: faultsBody },
  answers: { ...notFound, 200: armedAnswer('The faults are armed.') },
  handle:
    ({ db, writer, clock, documented }: Services) =>
    async ({ request, caller: { storeId }, body }) => {
      const faults = readFaults(body, documented);
      await writer.apply(armFaults, { storeId, faults, at: BigInt(clock()) });
      return jsonTextAnswer(request, await writeFaults(db, storeId, clock()));
    },
});
