import { execFile } from 'node:child_process';
import packageFile from '../package.json' with { type: 'json' };

/** Runs all independent `check:` scripts of package.json in parallel, and prints the output of those that fail. */
const names = Object.keys(packageFile.scripts).filter((name) => name.startsWith('check:'));

function check(name: string): Promise<boolean> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['--run', name], { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      process.stdout.write(`${error ? 'FAILED' : 'passed'} ${name}\n`);
      if (error) process.stdout.write(stdout + stderr);
      resolve(!error);
    });
  });
}

const passed = await Promise.all(names.map(check));
process.exitCode = passed.every(Boolean) ? 0 : 1;
