import type { Answered, Asked, Breaking } from '../../../src/bugs/bug.ts';

/** One broken promise, and the section of the suite in which it must come to light. */
export interface Mutant extends Breaking {
  readonly name: string;
  readonly section: string;
  /** Whether it shows only in a store of the sandbox. */
  readonly needsSandbox?: true;
}

export const order = 'Resources and their fields: Order';
export const pet = 'Resources and their fields: Pet';
export const error = 'Resources and their fields: Error';
export const list = 'Endpoints: GET /store/orders (listOrders)';
export const cancelling = 'Endpoints: DELETE /store/orders/{orderId} (cancelOrder)';
export const states = 'States and transitions';
export const authentication = 'Authentication';
export const caching = 'Decided: caching';
export const compression = 'Decided: compression';
export const exactness = 'Decided: exactness';
export const identifiers = 'Decided: identifiers';
export const precedence = 'Decided: the order of checks';
export const cors = 'Decided: CORS';

export const isOrders = ({ method, path }: Asked) =>
  method === 'GET' && /^\/v1\/store\/orders(\?|$)/.test(path);
export const isPets = ({ method, path }: Asked) => method === 'GET' && /^\/v1\/pets(\?|$)/.test(path);
export const isPet = ({ path }: Asked) => /^\/v1\/pets\/./.test(path);
export const isCancel = ({ method, path }: Asked) =>
  method === 'DELETE' && /^\/v1\/store\/orders\/./.test(path);
export const hasKey = ({ headers }: Asked) => 'authorization' in headers;

/** Changes the answers that a condition holds for. */
export const whenever =
  (
    condition: (answered: Answered, asked: Asked) => boolean,
    change: (answered: Answered) => void,
  ): Required<Breaking>['answer'] =>
  (answered, asked) => {
    if (condition(answered, asked)) change(answered);
  };
export const inOrders = (change: (body: string) => string) =>
  whenever(
    ({ status }, asked) => status === 200 && isOrders(asked),
    (answered) => {
      answered.body = change(answered.body);
    },
  );
export const inPets = (change: (body: string) => string) =>
  whenever(
    ({ status }, asked) => status === 200 && isPets(asked),
    (answered) => {
      answered.body = change(answered.body);
    },
  );
export const inStatus = (status: number, change: (answered: Answered) => void) =>
  whenever((answered) => answered.status === status, change);
export const inErrors = (change: (body: string) => string) =>
  whenever(
    ({ status, body }) => status >= 400 && body !== '',
    (answered) => {
      answered.body = change(answered.body);
    },
  );
export const without = (name: string) =>
  whenever(
    ({ headers }) => name in headers,
    ({ headers }) => {
      delete headers[name];
    },
  );
export const becomes = (status: number) => (answered: Answered) => {
  answered.status = status;
  answered.body = answered.body.replace(/"status":\d+/, `"status":${status}`);
};
export const rounded = (digits: string) => BigInt(Number(digits)).toString();
export const inPath = (pattern: RegExp, change: (found: string) => string) => (asked: Asked) => {
  asked.path = asked.path.replace(pattern, change);
};
export const withoutHeader = (name: string) => (asked: Asked) => {
  delete asked.headers[name];
};
export const reversed = (body: string) =>
  `[${[...body.matchAll(/\{[^}]*\}/g)]
    .map(([item]) => item)
    .reverse()
    .join()}]`;
export const anHourLater = (body: string) =>
  body.replace(/"shipDate":"([^"]+)"/g, (_, text: string) => {
    const date = new Date(Date.parse(text) + 3_600_000);
    return `"shipDate":"${date.toISOString()}"`;
  });

/** Lists what was cancelled as if it were still there. */
export function forgetsCancels(): Breaking {
  let last = '';
  let gone = '';
  return {
    answer(answered, asked) {
      const id = /\d+$/.exec(asked.path)?.[0];
      if (isCancel(asked) && answered.status === 204) {
        gone = new RegExp(`\\{"id":${id},[^}]*\\},?`).exec(last)?.[0].replace(/,$/, '') ?? '';
      }
      if (!isOrders(asked) || answered.status !== 200) return;
      last = answered.body;
      if (gone) answered.body = answered.body.replace(/^\[/, `[${gone},`);
    },
  };
}
