import type { ServerCommand } from '../config/flags.ts';
import { UsageError } from '../config/usage-error.ts';
import { questions } from './check-client/questions.ts';
import { putQuestion } from './check-client/run-client.ts';
import { openWatchedStore } from './check-client/watched-store.ts';

/** Runs somebody's program against a private store with each hard case in turn, and prints what it passed. */
export const checkClient: ServerCommand = async (_, command) => {
  if (command.length === 0)
    throw new UsageError('check-client needs a command: petstore check-client -- COMMAND…');
  await using store = await openWatchedStore();
  let passed = 0;
  let tried = 0;
  for (const question of questions) {
    const verdict = await putQuestion(store, command, question);
    if (verdict === 'passed') passed++;
    if (verdict !== 'not tried') tried++;
    const mark = verdict === 'passed' ? 'yes' : verdict === 'not tried' ? ' - ' : 'NO ';
    const why = typeof verdict === 'object' ? `: ${verdict.problem}` : '';
    console.log(`${mark}  ${question.ask}${why}`);
  }
  console.log(`${passed} of ${tried} questions passed`);
  if (passed === tried) return;
  process.exitCode = 1;
  console.error('petstore check-client --help tells what a client is asked to do');
};
