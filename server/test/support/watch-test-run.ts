import { endTestRun, parentOf } from './test-run.ts';

/**
 * Started by a test run, in a new session. Standard input ends when the run does, however it ends; a run whose
 * launcher was killed (npm, for example) is ended first.
 */
const [folder = '', ...pids] = process.argv.slice(2);
const chain = pids.map(Number);
const CHECK_MS = 500;

const checking = setInterval(() => {
  const isBroken = chain.some((pid, at) => at > 0 && parentOf(chain[at - 1] as number) !== pid);
  if (isBroken && parentOf(chain[0] as number) !== undefined) process.kill(chain[0] as number, 'SIGKILL');
}, CHECK_MS);

process.stdin.resume().once('close', async () => {
  clearInterval(checking);
  await endTestRun(folder);
});
