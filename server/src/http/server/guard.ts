import type { Answer } from './answer.ts';
import type { Request } from './request.ts';

/** Lets a request pass, answers it, or refuses it by throwing. One that must wait for something returns a promise. */
export type Guard = (request: Request) => Answer | undefined | Promise<Answer | undefined>;

export type RequestClock = (request: Request) => number;

/** The first answer counts; the handler stands last. */
export async function pass(request: Request, steps: readonly Guard[]): Promise<Answer> {
  for (const step of steps) {
    const passed = step(request);
    const answer = passed instanceof Promise ? await passed : passed;
    if (answer) return answer;
  }
  throw new Error(`nothing answers ${request.method} ${request.path}`);
}
