import { pipeline } from 'node:stream/promises';
import type { ServerCommand } from '../config/flags.ts';
import { UsageError } from '../config/usage-error.ts';
import { exportDeployment } from '../transfer/export-deployment.ts';
import { TransferError } from '../transfer/format.ts';
import { openSource } from '../transfer/open-transfer.ts';
import { showProgress } from '../transfer/progress.ts';
import { oneDeployment } from './one-deployment.ts';

/** `petstore export --deployment NAME > FILE`: a whole deployment as lines of JSON, as it is at this moment. */
export const exportCommand: ServerCommand = async (values) => {
  const { name, location } = oneDeployment('export', values);
  if (process.stdout.isTTY) throw new UsageError('export writes to standard output: add > FILE');
  await using source = await openSource(name, location);
  const lines = exportDeployment(name, source, (total) => showProgress(process.stderr, 'export', total));
  try {
    await pipeline(lines, process.stdout, { end: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE' || code === 'ENOSPC')
      throw new TransferError(`the export could not be written (${code}): it is not complete`);
    throw error;
  }
};
