import { afterEach, describe, expect, it, vi } from 'vitest';
import { runConcurrently } from '../../checks/src/suite/run-concurrently.ts';
import { runProgram, withModule } from '../../server/test/support/program.ts';
import { startPetStore } from '../../testing/src/index.ts';

const nowhere = '/nonexistent';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('petstore run with a service that cannot start', () => {
  it('exits with 125 and the reason if there is no folder for its data', async () => {
    expect(await runProgram(['run', '--', 'echo', 'never'], { env: { TMPDIR: nowhere } })).toEqual({
      code: 125,
      stdout: '',
      stderr: `petstore: the service could not be started: no temporary folder can be created in ${nowhere} (ENOENT)\n`,
    });
  });

  it.each(['exit', 'kill'])('exits with 125 and the reason if its process exits early (%s)', async (how) => {
    const surroundings = withModule(new URL('./support/end-private-service.ts', import.meta.url));
    const ended = await runProgram(['run', '--', 'echo', 'never'], { ...surroundings, env: { END_BY: how } });
    const why = how === 'exit' ? 'exited with code 9' : 'was killed by SIGKILL';
    expect(ended).toEqual({
      code: 125,
      stdout: '',
      stderr: `petstore: the service could not be started: its process ${why}\n`,
    });
  });
});

describe('a private store that cannot start', () => {
  it.each(['check-client', 'check-suite'])('exits %s with 4 (no verdict) and the reason', async (name) => {
    const ended = await runProgram([name, '--', 'true'], { env: { TMPDIR: nowhere } });
    expect(ended).toEqual({
      code: 4,
      stdout: '',
      stderr: `petstore: no temporary folder can be created in ${nowhere} (ENOENT)\n`,
    });
  });

  it('rejects in a user’s tests', async () => {
    vi.stubEnv('TMPDIR', nowhere);
    await expect(startPetStore()).rejects.toThrow(`no temporary folder can be created in ${nowhere}`);
  });
});

describe('a check', () => {
  it('stops starting items after one fails, and finishes those in progress', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const slow = Promise.withResolvers<void>();
    const work = async (item: number) => {
      begun.push(item);
      if (item === 1) throw new Error('no store');
      await slow.promise;
      ended.push(item);
    };
    const all = runConcurrently([1, 2, 3, 4], 2, work, () => {});
    slow.resolve();
    await expect(all).rejects.toThrow('no store');
    expect([begun, ended]).toEqual([[1, 2], [2]]);
  });
});
