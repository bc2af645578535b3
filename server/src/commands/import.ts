import type { ServerCommand, Told } from '../config/flags.ts';
import { UsageError } from '../config/usage-error.ts';
import { linesOf, TransferError } from '../transfer/format.ts';
import { importDeployment } from '../transfer/import-deployment.ts';
import { openTransfer } from '../transfer/open-transfer.ts';
import { showProgress } from '../transfer/progress.ts';
import { oneDeployment } from './one-deployment.ts';

export const importCommand: ServerCommand<Told> = async (values) => {
  const { name, location } = oneDeployment('import', values);
  if (process.stdin.isTTY) throw new UsageError('import reads from standard input: add < FILE');
  await using target = await openTransfer(name, location, 'write');
  try {
    const { imported, rows } = await importDeployment(name, linesOf(process.stdin), target, (...args) =>
      showProgress(values, ...args),
    );
    const count = rows.toLocaleString('en');
    const text = imported
      ? `imported ${count} rows; read back, every table is exactly what was exported`
      : `nothing to do: the target already holds exactly these ${count} rows`;
    if (values.json !== true) console.error(text);
    return { text: '', json: { imported, rows } };
  } catch (error) {
    throw explained(error);
  } finally {
    process.stdin.destroy();
  }
};

function explained(error: unknown): unknown {
  const { errcode, severity, message } = error as { errcode?: number; severity?: string; message: string };
  if (errcode === undefined && severity === undefined) return error;
  return new TransferError(`the database refused it: ${message}; nothing was imported`);
}
