import type { Connection } from '../database/engine.ts';
import { jsonTextAnswer } from '../http/content/json-answer.ts';
import { ApiError } from '../http/errors.ts';
import { callerOf } from '../http/guards/authenticate.ts';
import type { Handler } from '../http/server/answer.ts';
import type { Quotas } from '../quotas.ts';
import type { Writer } from '../writer/writer.ts';
import { armFaults, findFaults } from './armed-faults.ts';
import type { DocumentedErrors } from './documented-errors.ts';
import { readFaults } from './read-faults.ts';
import { readReset } from './read-reset.ts';
import { storeResetter } from './reset-store.ts';

export interface SandboxOptions {
  readonly db: Connection;
  readonly writer: Writer;
  readonly now: () => number;
  readonly quotas: Quotas;
  readonly documented: DocumentedErrors;
}

/** The operations of the sandbox. */
export function sandboxHandlers({ db, writer, now, quotas, documented }: SandboxOptions) {
  const reset = storeResetter(writer, now);

  const resetSandbox: Handler = async (request) => {
    const set = readReset(request.body);
    if (set.dataSet === 'large' && set.orders > quotas.orders) throw new ApiError('order_limit_reached');
    const hasLeft = () => request.raw.socket.destroyed;
    const { orders, pets, revision } = await reset(callerOf(request), set, hasLeft);
    return jsonTextAnswer(
      request,
      `{"dataSet":"${set.dataSet}","seed":${set.seed},"orders":${orders},"pets":${pets},"revision":${revision}}`,
    );
  };

  const shown = async (storeId: bigint) => {
    const faults = await db.all(findFaults, { storeId, now: BigInt(now()) });
    return `[${faults
      .map(
        ({ operation, fault, parameters, times, probability, seed, fired }) =>
          `{"operation":"${operation}","fault":"${fault}","parameters":${parameters},"times":${times},` +
          `"probability":${probability},"seed":${seed},"fired":${fired}}`,
      )
      .join()}]`;
  };

  const listFaults: Handler = async (request) =>
    jsonTextAnswer(request, await shown(callerOf(request).storeId));

  const arm: Handler = async (request) => {
    const faults = readFaults(request.body, documented);
    const { storeId } = callerOf(request);
    await writer.apply(armFaults, { storeId, faults, at: BigInt(now()) });
    return jsonTextAnswer(request, await shown(storeId));
  };

  const disarm: Handler = async (request) => {
    await writer.apply(armFaults, { storeId: callerOf(request).storeId, faults: [], at: BigInt(now()) });
    return { status: 204 };
  };

  return { resetSandbox, listFaults, armFaults: arm, disarmFaults: disarm };
}
