import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Threads from the test bundle. Tests start hundreds of them: from sources each takes four times as long. */
const thread = (name: string) =>
  pathToFileURL(join(dirname(String(process.env.TESTED_PROGRAM)), `${name}.js`));

export const writerThread = () => thread('sqlite-writer-thread');
export const senderThread = () => thread('webhook-sender-thread');
