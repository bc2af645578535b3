import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Send } from './answer.ts';

/** Lets a request pass, answers it, or refuses it by throwing. One that must wait for something returns a promise. */
export type Guard = (request: FastifyRequest) => Answer | undefined | Promise<Answer | undefined>;

/** The moment at which a request takes place, in milliseconds since 1970. */
export type Moment = (request: FastifyRequest) => number;

/** All guards of a route as the framework's one hook: each in its order, without waiting where none has to. */
export function passing(guards: readonly Guard[], send: Send) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const settle = (answer: Answer | undefined) => (answer ? send(request, reply, answer) : done());
    try {
      const passed = pass(guards, request, 0);
      if (passed instanceof Promise) passed.then(settle, done);
      else settle(passed);
    } catch (error) {
      done(error as Error);
    }
  };
}

function pass(guards: readonly Guard[], request: FastifyRequest, first: number): ReturnType<Guard> {
  for (let i = first; i < guards.length; i++) {
    const passed = (guards[i] as Guard)(request);
    if (passed instanceof Promise) return passed.then((answer) => answer ?? pass(guards, request, i + 1));
    if (passed) return passed;
  }
  return undefined;
}
