import { pipeline } from 'node:stream/promises';
import type { CommandResult, ServerCommand } from '../config/flags.ts';
import { UsageError } from '../config/usage-error.ts';
import { FILE_CHECK_INTERVAL_MS, isWalTooLong } from '../database/sqlite.ts';
import { exportDeployment } from '../transfer/export-deployment.ts';
import { linesOf, TransferError } from '../transfer/format.ts';
import { importDeployment } from '../transfer/import-deployment.ts';
import { openTransfer } from '../transfer/open-transfer.ts';
import { showProgress } from '../transfer/progress.ts';
import { existingDeployment, oneDeployment } from './one-deployment.ts';

export const exportCommand: ServerCommand = async (values, _, { stdout, stderr }) => {
  const { name, location, sqliteFile } = existingDeployment('export', values);
  if (stdout.isTTY) throw new UsageError('export writes to standard output; redirect it: > FILE');
  await using source = await openTransfer(name, location, 'read');
  using wal = watchWal(location.database === undefined ? sqliteFile : undefined);
  const lines = exportDeployment(name, source, (total) => showProgress(values, 'export', total, stderr));
  try {
    await Promise.race([pipeline(lines, stdout, { end: false }), wal.tooLong]);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE' || code === 'ENOSPC')
      throw new TransferError(`the export could not be written (${code}) and is incomplete`);
    throw error;
  }
};

/** Aborts an export that is read too slowly: while it runs, SQLite cannot truncate its write-ahead log. */
function watchWal(sqliteFile: string | undefined): Disposable & { tooLong: Promise<never> } {
  const { promise: tooLong, reject } = Promise.withResolvers<never>();
  const checkFile = () => {
    if (sqliteFile === undefined || !isWalTooLong(sqliteFile)) return;
    reject(
      new TransferError(
        `export aborted and incomplete: it was read too slowly, and the write-ahead log of ${sqliteFile} grew too large; read faster, or export a copy made with petstore backup`,
      ),
    );
  };
  const timer = setInterval(checkFile, FILE_CHECK_INTERVAL_MS);
  return { tooLong, [Symbol.dispose]: () => clearInterval(timer) };
}

export const importCommand: ServerCommand<CommandResult> = async (values, _, { stdin, stderr }) => {
  const { name, location } = oneDeployment('import', values);
  if (stdin.isTTY) throw new UsageError('import reads from standard input; redirect it: < FILE');
  await using target = await openTransfer(name, location, 'write');
  try {
    const { imported, rows } = await importDeployment(name, linesOf(stdin), target, (verb, total) =>
      showProgress(values, verb, total, stderr),
    );
    const count = rows.toLocaleString('en');
    const text = imported
      ? `Imported and verified ${count} rows`
      : `Nothing to do: the target already contains exactly these ${count} rows`;
    if (values.json !== true) stderr.write(`${text}\n`);
    return { text: '', json: { imported, rows } };
  } catch (error) {
    throw toTransferError(error);
  } finally {
    stdin.destroy();
  }
};

function toTransferError(error: unknown): unknown {
  const { errcode, severity, message } = error as { errcode?: number; severity?: string; message: string };
  if (errcode === undefined && severity === undefined) return error;
  return new TransferError(`the database rejected the import: ${message}; nothing was imported`);
}
