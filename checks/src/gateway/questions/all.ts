import type { Question } from '../question.ts';
import { caches } from './caches.ts';
import { changes } from './changes.ts';
import { connections } from './connections.ts';
import { paths } from './paths.ts';
import { requestBodies } from './request-bodies.ts';
import { requestHeaders } from './request-headers.ts';
import { responseHeaders } from './response-headers.ts';
import { responses } from './responses.ts';
import { safety } from './safety.ts';
import { streams } from './streams.ts';

/** A question is one case of the check: a requirement, and a run that tests whether the gateway meets it. */
export const questions: readonly Question[] = [
  ...changes,
  ...paths,
  ...requestHeaders,
  ...requestBodies,
  ...responses,
  ...responseHeaders,
  ...streams,
  ...caches,
  ...safety,
  ...connections,
];
