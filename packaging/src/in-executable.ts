import { getAsset, getAssetKeys, getRawAsset } from 'node:sea';
import { filesOf } from '../../server/src/http/content/built-files.ts';
import type { File } from '../../server/src/http/content/files.ts';

/** What the executable carries below a folder. It is sent from where it lies in the executable, and never copied. */
function readAssets(folder: string): ReadonlyMap<string, Buffer> {
  const keys = getAssetKeys().filter((key) => key.startsWith(`${folder}/`));
  return new Map(
    keys.map((key) => [key.slice(folder.length + 1), Buffer.from(getRawAsset(key) as ArrayBuffer)]),
  );
}

export function readConsole(): ReadonlyMap<string, Buffer> {
  return readAssets('console');
}

export async function makeReference(): Promise<ReadonlyMap<string, File>> {
  return filesOf(readAssets('reference'));
}

/** A thread has no file that it could be started from: it is started from its text. */
export function threadOf(name: string): URL {
  const text = Buffer.from(getAsset(`threads/${name}.js`));
  return new URL(`data:text/javascript;base64,${text.toString('base64')}`);
}
