import { getAsset, getAssetKeys, getRawAsset } from 'node:sea';
import type { Contents } from '../../server/src/http/content/files.ts';

/** Served directly from the executable's memory, without a copy. */
export function consoleFiles(): Contents {
  const folder = 'console/';
  const keys = getAssetKeys().filter((key) => key.startsWith(folder));
  const read = (key: string) => Buffer.from(getRawAsset(key) as ArrayBuffer);
  return new Map(keys.map((key) => [key.slice(folder.length), () => read(key)]));
}

/** The text of a worker thread: the executable has no files, and a data: URL would take several times as much memory. */
const thread = (name: string): URL | string => getAsset(`threads/${name}.js`, 'utf8');

export const writerThread = () => thread('sqlite-writer-thread');
export const senderThread = () => thread('webhook-sender-thread');
