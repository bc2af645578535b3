import { expect, it } from 'vitest';
import { compareNewConnections, judgeNewConnections, plainSide } from '../src/attack/new-connections.ts';
import { startPlain } from '../src/program/start-program.ts';

const MAX_FACTOR = 3;
const COUNT = 300;

it.each([
  ['accepts a program like the one it is compared with', [], undefined],
  ['notices a program that works ten times as long per connection', ['--work', '2000000'], /more than 3 ×/],
  ['notices connections that are dropped', ['--backlog', '100'], /dropped/],
])('the attack with many new connections %s', async (_, flags, problem) => {
  await using program = await startPlain(flags);
  await using plain = await startPlain();
  const compared = await compareNewConnections(plainSide(program, COUNT), plainSide(plain, COUNT));
  const found = judgeNewConnections(compared, MAX_FACTOR);
  if (problem) expect(found).toMatch(problem);
  else expect(found).toBeUndefined();
});
