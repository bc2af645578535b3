import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { startPetStore } from '../../testing/src/index.ts';

/** Third-party libraries and suites against the service. `SUITES=all` installs them; missing ones are skipped. */
const isAll = process.env.SUITES === 'all';
const folder = join(import.meta.dirname, '../../node_modules/.cache/third-party');
const python = join(folder, 'python/bin/python');
const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd: folder });
const has = (...command: [string, ...string[]]) => run(...command).then(Boolean, () => false);

beforeAll(async () => {
  mkdirSync(join(folder, 'go'), { recursive: true });
  if (!isAll) return;
  const packages = ['@modelcontextprotocol/conformance@0.1.16', '@modelcontextprotocol/inspector@2.12.0'];
  await run('npm', 'install', '--prefix', folder, '--ignore-scripts', '--silent', ...packages);
  await run('python3', '-m', 'venv', join(folder, 'python'));
  const wheels = ['standardwebhooks==1.1.0', 'CacheControl==0.14.4', 'requests'];
  await run(python, '-m', 'pip', 'install', '-q', ...wheels);
});

/** Writes a received delivery and the secret of its webhook to a file, and returns its path. */
async function receiveDelivery() {
  const { promise, resolve } = Promise.withResolvers<{ headers: object; body: string }>();
  const receiver = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request);
    response.end();
    resolve({ headers: request.headers, body: Buffer.concat(chunks).toString() });
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  await using store = await startPetStore();
  const { port } = receiver.address() as { port: number };
  const headers = { authorization: `Bearer ${store.key}`, 'content-type': 'application/json' };
  const post = (path: string, body: object) =>
    fetch(store.v2Url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const created = await post('/webhooks', { url: `http://127.0.0.1:${port}/` });
  const { id, secret } = (await created.json()) as { id: string; secret: string };
  await post(`/webhooks/${id}/test`, {});
  const delivery = await promise;
  receiver.close();
  const file = join(folder, 'delivery.json');
  writeFileSync(file, JSON.stringify({ ...delivery, secret }));
  return file;
}

describe('the official Standard Webhooks libraries', () => {
  it('for Python verifies a delivery and rejects a changed one', async (test) => {
    if (!(await has(python, '-c', 'import standardwebhooks'))) test.skip('not installed');
    const script = `
import json, sys
from standardwebhooks import Webhook
delivery = json.load(open(sys.argv[1]))
webhook = Webhook(delivery["secret"])
print(webhook.verify(delivery["body"], delivery["headers"])["type"])
try: webhook.verify(delivery["body"] + " ", delivery["headers"])
except Exception as error: print(type(error).__name__)
`;
    const { stdout } = await run(python, '-c', script, await receiveDelivery());
    expect(stdout).toBe('webhook.test\nWebhookVerificationError\n');
  });

  it('for Go verifies a delivery and rejects a changed one', async (test) => {
    if (!isAll || !(await has('go', 'version'))) test.skip('SUITES=all installs it');
    writeFileSync(join(folder, 'go/go.mod'), 'module verify\n\ngo 1.21\n');
    writeFileSync(join(folder, 'go/main.go'), goProgram);
    const cwd = join(folder, 'go');
    const library = 'github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1';
    await promisify(execFile)('go', ['get', library], { cwd });
    const { stdout } = await promisify(execFile)('go', ['run', '.', await receiveDelivery()], { cwd });
    expect(stdout).toBe('verified\nrejected\n');
  });
});

const goProgram = `package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	bytes, _ := os.ReadFile(os.Args[1])
	var delivery struct {
		Secret, Body string
		Headers      map[string]string
	}
	if err := json.Unmarshal(bytes, &delivery); err != nil {
		panic(err)
	}
	headers := http.Header{}
	for name, value := range delivery.Headers {
		headers.Set(name, value)
	}
	webhook, err := webhooks.NewWebhook(delivery.Secret)
	if err != nil {
		panic(err)
	}
	if err := webhook.Verify([]byte(delivery.Body), headers); err == nil {
		fmt.Println("verified")
	}
	if err := webhook.Verify([]byte(delivery.Body+" "), headers); err != nil {
		fmt.Println("rejected")
	}
}
`;

it('CacheControl, an HTTP cache, revalidates by ETag and never returns a stale list', async (test) => {
  if (!(await has(python, '-c', 'import cachecontrol'))) test.skip('not installed');
  await using store = await startPetStore();
  const script = `
import sys, requests
from cachecontrol import CacheControl
url, key = sys.argv[1:]
session = CacheControl(requests.Session())
session.headers["Authorization"] = f"Bearer {key}"
for path in ["/store/orders", "/pets"]:
    first, second = session.get(url + path), session.get(url + path)
    print(path, first.from_cache, second.from_cache, first.content == second.content)
pending = [order for order in session.get(url + "/store/orders").json() if not order["complete"]][-1]["id"]
print(session.delete(f"{url}/store/orders/{pending}").status_code)
after = session.get(url + "/store/orders")
print(after.from_cache, pending in [order["id"] for order in after.json()])
`;
  const { stdout } = await run(python, '-c', script, store.url, store.key);
  expect(stdout).toBe('/store/orders False True True\n/pets False True True\n204\nFalse False\n');
});

describe('the Model Context Protocol', () => {
  const tool = (name: string) => join(folder, 'node_modules/.bin', name);

  /** Starts a proxy that adds the key, as the conformance suite cannot send one. */
  async function startKeyProxy(store: { url: string; key: string }) {
    const target = new URL('/mcp', store.url);
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await Array.fromAsync(request));
      const headers = new Headers(request.headers as Record<string, string>);
      for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) headers.delete(name);
      headers.set('authorization', `Bearer ${store.key}`);
      const { method = 'GET' } = request;
      const sent = method === 'POST' ? { method, headers, body } : { method, headers };
      const received = await fetch(target, sent);
      response.writeHead(received.status, Object.fromEntries(received.headers));
      response.end(Buffer.from(await received.arrayBuffer()));
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as { port: number };
    return { url: `http://127.0.0.1:${port}/mcp`, [Symbol.dispose]: () => void server.close() };
  }

  it.for(['server-initialize', 'ping', 'tools-list'])(
    'passes the conformance scenario %s',
    async (name, test) => {
      if (!(await has(tool('conformance'), '--version'))) test.skip('not installed');
      await using store = await startPetStore();
      using proxy = await startKeyProxy(store);
      const { stdout } = await run(tool('conformance'), 'server', '--url', proxy.url, '--scenario', name);
      expect(stdout).toContain('Passed: 1/1, 0 failed');
    },
  );

  it('the inspector lists the tools and calls one', async (test) => {
    if (!(await has(tool('mcp-inspector'), '--help'))) test.skip('not installed');
    await using store = await startPetStore();
    const url = new URL('/mcp', store.url).href;
    const call = async (...args: string[]) => {
      const flags = ['--transport', 'http', '--header', `Authorization: Bearer ${store.key}`];
      return JSON.parse((await run(tool('mcp-inspector'), '--cli', url, ...flags, ...args)).stdout);
    };
    const { tools } = await call('--method', 'tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toContain('cancelOrder');
    const { content } = await call('--method', 'tools/call', '--tool-name', 'listPets');
    expect(JSON.parse(content[0].text).data).toHaveLength(12);
  });
});
