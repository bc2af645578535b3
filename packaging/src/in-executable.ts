import { getAsset, getAssetKeys, getRawAsset } from 'node:sea';

/** The assets below a folder, served directly from the executable's memory without a copy. */
function readAssets(folder: string): ReadonlyMap<string, Buffer> {
  const names = getAssetKeys()
    .filter((key) => key.startsWith(`${folder}/`))
    .map((key) => key.slice(folder.length + 1));
  return new Map(names.map((name) => [name, Buffer.from(getRawAsset(`${folder}/${name}`) as ArrayBuffer)]));
}

export function readConsole(): ReadonlyMap<string, Buffer> {
  return readAssets('console');
}

/** Workers are started from a data: URL, as the executable has no files. */
function thread(name: string): URL {
  const text = Buffer.from(getAsset(`threads/${name}.js`));
  return new URL(`data:text/javascript;base64,${text.toString('base64')}`);
}

export const writerThread = () => thread('sqlite-writer-thread');
export const senderThread = () => thread('webhook-sender-thread');
