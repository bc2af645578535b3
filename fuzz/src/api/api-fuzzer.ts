import { openConnection } from '../connection.ts';
import { excerpt } from '../responses.ts';
import type { Failure, Fuzzer } from '../run.ts';
import { responseChecker } from './check-response.ts';
import { createRequest, type GeneratedRequest } from './generate-request.ts';
import type { Stage } from './stage.ts';

/** Sends requests that the documents allow, nearly allow or forbid, and checks every response. */
export function apiFuzzer(stage: Stage, seed: number): Fuzzer {
  const check = responseChecker(stage);
  const connections = new Map<string, ReturnType<typeof openConnection>>();
  const connectionOf = (lane: number, origin: string) => {
    const name = `${lane} ${origin}`;
    const connection = connections.get(name) ?? openConnection(origin);
    connections.set(name, connection);
    return connection;
  };
  const show = (number: number) => excerpt(createRequest(stage, seed, number).bytes, 1500);
  async function attempt(number: number, lane: number): Promise<Failure | undefined> {
    const request = createRequest(stage, seed, number);
    const fail = (problem: string, received: string) => ({
      fuzzer: 'api',
      number,
      problem: `${problem} (${describeRequest(request)})`,
      sent: show(number),
      received,
    });
    try {
      const connection = connectionOf(lane, request.store.origin);
      const response =
        (await connection.exchange(request.bytes, request.method)) ??
        // The service may have closed the idle connection just before it was reused.
        (await connection.exchange(request.bytes, request.method));
      if (!response) return fail('the connection was closed without a response', '');
      const problem = check(request, response);
      return problem === undefined
        ? undefined
        : fail(problem, `${response.status} ${excerpt(response.body, 500)}`);
    } catch (error) {
      return fail(String((error as Error).message), '');
    }
  }
  return { attempt, show };
}

function describeRequest({ operation, mutated, expects }: GeneratedRequest): string {
  return `${operation.name}, ${mutated.length === 0 ? 'valid' : mutated.join(', ')}, expects ${expects}`;
}
