import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requestBytes } from '../load/connection.ts';
import { find, folder, freePort, type Running, startServer } from '../processes.ts';

export const nginx = find('nginx');

/** nginx serving the bytes as a file, one worker: the machine's limit. Undefined where it is not installed. */
export async function startNginx(body: Buffer): Promise<Running | undefined> {
  if (nginx === undefined) return undefined;
  const port = await freePort();
  const home = folder('nginx');
  mkdirSync(join(home, 'files'));
  writeFileSync(join(home, 'files', 'orders.json'), body);
  writeFileSync(
    join(home, 'nginx.conf'),
    `daemon off;
master_process off;
worker_processes 1;
pid ${home}/nginx.pid;
error_log ${home}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 100000000;
  open_file_cache max=10;
  types { application/json json; }
  client_body_temp_path ${home}/body;
  proxy_temp_path ${home}/proxy;
  fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi;
  scgi_temp_path ${home}/scgi;
  server { listen 127.0.0.1:${port}; root ${home}/files; }
}
`,
  );
  return startServer('nginx', {
    command: nginx,
    args: ['-p', home, '-c', join(home, 'nginx.conf'), '-e', join(home, 'error.log')],
    port,
    ready: requestBytes('GET', '/orders.json'),
  });
}
