#!/usr/bin/env -S node --disable-warning=ExperimentalWarning --
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const inRepository = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Exits when the parent process dies: a signal sent to npm may kill npm and its shell without reaching this process. */
function exitWithNpm() {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.emit('SIGTERM', 'SIGTERM'), 200).unref();
}
const { npm_lifecycle_event: script, npm_package_json: manifest } = process.env;
// Programs that other scripts start inherit these variables, and may outlive their parent.
if (script === 'start' && manifest === inRepository('package.json')) exitWithNpm();

// One clear line instead of an older Node's stack trace. The flag hides Node 24's warning that node:sqlite is experimental.
// After `--`, Node does not parse our --env-file as its own flag.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > 24 || (major === 24 && minor >= 4)) {
  // Stripping types costs each thread 12 MB and a third of the startup time: later starts load what this one compiled.
  module.enableCompileCache(inRepository('node_modules/.cache/compiled'));
  await import('./main.js');
} else {
  console.error(
    `petstore: requires Node 24.4 or newer, found ${process.versions.node}. npm ci installed Node 26 here: export PATH="${inRepository('node_modules/.bin')}:$PATH"`,
  );
  process.exitCode = 1;
}
