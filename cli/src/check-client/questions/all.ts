import type { Question } from '../question.ts';
import { changes } from './changes.ts';
import { events } from './events.ts';
import { failures } from './failures.ts';
import { lists } from './lists.ts';

/** Every question that a program can answer by itself. The first shows whether it starts at all. */
export const questions: readonly Question[] = [...lists, ...changes, ...failures, ...events];
