import { getAsset, getAssetKeys, getRawAsset } from 'node:sea';
import type { Contents } from '../../server/src/http/content/files.ts';

/** The assets below a folder, served directly from the executable's memory without a copy. */
function assetsIn(folder: string): Contents {
  const names = getAssetKeys()
    .filter((key) => key.startsWith(`${folder}/`))
    .map((key) => key.slice(folder.length + 1));
  const read = (name: string) => Buffer.from(getRawAsset(`${folder}/${name}`) as ArrayBuffer);
  return new Map(names.map((name) => [name, () => read(name)]));
}

export function consoleFiles(): Contents {
  return assetsIn('console');
}

/** Workers are started from a data: URL, as the executable has no files. */
function thread(name: string): URL {
  const text = Buffer.from(getAsset(`threads/${name}.js`));
  return new URL(`data:text/javascript;base64,${text.toString('base64')}`);
}

export const writerThread = () => thread('sqlite-writer-thread');
export const senderThread = () => thread('webhook-sender-thread');
