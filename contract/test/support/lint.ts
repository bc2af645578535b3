import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { path } from '../../generators/target.ts';

const redocly = path('../../node_modules/@redocly/cli/bin/cli.js');

/** What Redocly says of documents: all at once, as it takes longer to start than to read one. */
export async function lint(...files: string[]): Promise<string> {
  const started = promisify(execFile)(process.execPath, [redocly, 'lint', ...files]);
  const { stderr } = await started.catch((error) => error);
  return stderr;
}
