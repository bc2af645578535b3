import { openConnection } from '../connection.ts';
import { excerpt } from '../responses.ts';
import type { Failure, Fuzzer } from '../run.ts';
import { responseChecker } from './check-response.ts';
import { createRequest, type GeneratedRequest } from './generate-request.ts';
import type { Stage } from './stage.ts';

/** Sends what the documents allow, nearly allow and forbid, and checks every answer. */
export function apiFuzzer(stage: Stage, seed: number): Fuzzer {
  const check = responseChecker(stage);
  const connections = new Map<string, ReturnType<typeof openConnection>>();
  const connectionOf = (lane: number, origin: string) => {
    const name = `${lane} ${origin}`;
    const known = connections.get(name) ?? openConnection(origin);
    connections.set(name, known);
    return known;
  };
  const show = (number: number) => excerpt(createRequest(stage, seed, number).bytes, 1500);
  async function attempt(number: number, lane: number): Promise<Failure | undefined> {
    const request = createRequest(stage, seed, number);
    const fail = (problem: string, received: string) => ({
      fuzzer: 'api',
      number,
      problem: `${problem} (${described(request)})`,
      sent: show(number),
      received,
    });
    try {
      const connection = connectionOf(lane, request.store.origin);
      const response =
        (await connection.exchange(request.bytes, request.method)) ??
        // A connection that idled may have been closed the moment it was used.
        (await connection.exchange(request.bytes, request.method));
      if (!response) return fail('the connection was closed without an answer', '');
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

function described({ operation, twisted, expects }: GeneratedRequest): string {
  return `${operation.name}, ${twisted.length === 0 ? 'valid' : twisted.join(', ')}, expects ${expects}`;
}
