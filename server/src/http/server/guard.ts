import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Answer, Send } from './answer.ts';

/** Lets a request pass, answers it, or refuses it by throwing. One that must wait for something returns a promise. */
export type Guard = (request: FastifyRequest) => Answer | undefined | Promise<Answer | undefined>;

/** The moment at which a request takes place, in milliseconds since 1970. */
export type Moment = (request: FastifyRequest) => number;

/** All guards of a route as the framework's one hook: each in its order, without waiting where none has to. */
export function passing(guards: readonly Guard[], send: Send) {
  const passFrom = (first: number, request: FastifyRequest, reply: FastifyReply, done: Done) => {
    try {
      for (let i = first; i < guards.length; i++) {
        const passed = (guards[i] as Guard)(request);
        if (passed instanceof Promise) {
          passed.then(
            (answer) => (answer ? send(request, reply, answer) : passFrom(i + 1, request, reply, done)),
            done,
          );
          return;
        }
        if (passed) return send(request, reply, passed);
      }
    } catch (error) {
      return done(error as Error);
    }
    done();
  };
  return (request: FastifyRequest, reply: FastifyReply, done: Done) => passFrom(0, request, reply, done);
}

type Done = (error?: Error) => void;
