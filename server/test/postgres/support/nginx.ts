import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { temporaryFolder } from '../../support/engines.ts';
import { freePort } from '../../support/free-port.ts';
import { eventually } from './eventually.ts';

const configuration = new URL('../../../../docs/nginx.conf', import.meta.url);
// Where systems install it for root only.
const env = { ...process.env, PATH: [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(delimiter) };

export const isNginxThere = spawnSync('nginx', ['-v'], { env }).error === undefined;

export interface Nginx extends AsyncDisposable {
  readonly port: number;
}

/** Runs nginx with the configuration of the documentation, before other replicas, on another port. */
export async function startNginx(replicas: readonly number[]): Promise<Nginx> {
  const folder = temporaryFolder();
  const port = await freePort();
  const path = join(folder.path, 'nginx.conf');
  mkdirSync(join(folder.path, 'logs'));
  writeFileSync(path, adapted(readFileSync(configuration, 'utf8'), folder.path, port, replicas));
  const args = ['-p', folder.path, '-c', path];
  const tested = spawnSync('nginx', [...args, '-t', '-q'], { env, encoding: 'utf8' });
  if (tested.status !== 0) throw new Error(tested.stderr);

  const process = spawn('nginx', [...args, '-g', 'daemon off; error_log stderr;'], { env, stdio: 'ignore' });
  const gone = once(process, 'exit');
  await eventually(
    () => fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined),
    (response) => response !== undefined,
  );
  return {
    port,
    async [Symbol.asyncDispose]() {
      process.kill('SIGTERM');
      await gone;
      folder[Symbol.dispose]();
    },
  };
}

/** The file as written, except for ports and file locations. */
function adapted(text: string, folder: string, port: number, replicas: readonly number[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const places = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const ports = ['8080', '8082', '8084'];
  return ports
    .reduce((all, from, i) => all.replace(`127.0.0.1:${from}`, `127.0.0.1:${replicas[i]}`), text)
    .replace('listen 8000;', `listen 127.0.0.1:${port};`)
    .replace('worker_processes auto;', `worker_processes 1; pid ${folder}/nginx.pid;`)
    .replace('http {', `http { access_log off; ${places}`);
}
