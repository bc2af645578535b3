import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../../server/src/config/usage-error.ts';
import { writePrivateFile } from '../../server/src/config/write-private-file.ts';

interface Profile {
  readonly url: string;
  readonly key: string;
}
type Profiles = Readonly<Record<string, Profile>>;

export const DEFAULT_PROFILE = 'default';

/** Follows the XDG Base Directory Specification; on Windows, `%APPDATA%`. */
export function profilesFile(env: NodeJS.ProcessEnv): string {
  const settings = process.platform === 'win32' ? env.APPDATA : env.XDG_CONFIG_HOME;
  return join(settings || join(env.HOME || homedir(), '.config'), 'petstore', 'profiles.json');
}

/** Rejects a file that other users can read: its keys may have leaked. */
export function readProfiles(env: NodeJS.ProcessEnv): Profiles {
  const file = profilesFile(env);
  const { mode } = statSync(file, { throwIfNoEntry: false }) ?? {};
  if (mode === undefined) return {};
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    throw new UsageError(`other users can read the keys in ${file}; run chmod 600 ${file}`);
  try {
    const found = JSON.parse(readFileSync(file, 'utf8')) as Profiles;
    const all = Object.entries(found);
    if (all.every(([, { url, key }]) => typeof url === 'string' && typeof key === 'string'))
      return Object.fromEntries(all);
  } catch {}
  throw new UsageError(`${file} is not a valid profile file; fix it, or delete it and log in again`);
}

export function writeProfiles(env: NodeJS.ProcessEnv, profiles: Profiles): void {
  const file = profilesFile(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writePrivateFile(file, `${JSON.stringify(profiles, null, 2)}\n`);
}
