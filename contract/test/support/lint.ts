import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { path } from '../../generators/target.ts';

const redocly = path('../../node_modules/@redocly/cli/bin/cli.js');

/** Redocly's result for all documents at once, as starting it takes longer than a document. */
export async function lint(...files: string[]): Promise<string> {
  const started = promisify(execFile)(process.execPath, [redocly, 'lint', ...files]);
  const { stderr } = await started.catch((error) => error);
  return stderr;
}
