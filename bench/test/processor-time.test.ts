import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { processorTimeWithChildren } from '../src/measure/processor-time.ts';

it('the processor time of children includes those that have exited', async () => {
  const work = 'for (let sum = 0; process.cpuUsage().user < 300_000; ) sum += Math.sqrt(performance.now())';
  const text = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(work)}]); console.log('done'); setInterval(() => {}, 1e6)`;
  const parent = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(parent.stdout, 'data');
  expect(processorTimeWithChildren(parent.pid as number)).toBeGreaterThan(0.3);
  parent.kill();
});
