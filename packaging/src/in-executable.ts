import { getAsset, getAssetKeys, getRawAsset } from 'node:sea';

/** What the executable carries below a folder. It is sent from where it lies in the executable, and never copied. */
function readAssets(folder: string): ReadonlyMap<string, Buffer> {
  const names = getAssetKeys()
    .filter((key) => key.startsWith(`${folder}/`))
    .map((key) => key.slice(folder.length + 1));
  return new Map(names.map((name) => [name, Buffer.from(getRawAsset(`${folder}/${name}`) as ArrayBuffer)]));
}

export function readConsole(): ReadonlyMap<string, Buffer> {
  return readAssets('console');
}

/** A thread has no file that it could be started from: it is started from its text. */
function thread(name: string): URL {
  const text = Buffer.from(getAsset(`threads/${name}.js`));
  return new URL(`data:text/javascript;base64,${text.toString('base64')}`);
}

export const writerThread = () => thread('sqlite-writer-thread');
export const senderThread = () => thread('webhook-sender-thread');
