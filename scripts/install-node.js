// Part of `npm ci`: installs the pinned Node if this machine's Node is too old to run the sources. Plain JavaScript for Node 20.
// npm cannot choose a package by the version of Node: it ignores `engines` of what an optional package depends on.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));

// node:sqlite reads large integers exactly from 24.4 on.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 || (major === 24 && minor < 4)) process.exitCode = install();

function install() {
  const { packages } = read('package-lock.json');
  const pinned = Object.entries(read('packaging/node/package.json').optionalDependencies);
  const found = pinned.find(([name]) => {
    const { os, cpu } = packages[`node_modules/${name}`];
    return os === process.platform && cpu === process.arch;
  });
  if (!found) {
    console.error(`petstore: requires Node 24.4 or newer, found ${process.versions.node}`);
    return 1;
  }
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm ? [process.execPath, npm] : ['npm'];
  const options = ['--no-save', '--omit=dev', '--ignore-scripts', '--silent'];
  const args = [...first, 'install', ...options, found.join('@')];
  // Checked against the hash in package-lock.json, which lists it as a development dependency.
  return spawnSync(command, args, { cwd: fileURLToPath(root), stdio: 'inherit' }).status ?? 1;
}
