import { getCompileCacheDir } from 'node:module';

/** Threads inherit a compile cache only through their environment. */
export function threadEnv(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder === undefined ? process.env : { ...process.env, NODE_COMPILE_CACHE: folder };
}
