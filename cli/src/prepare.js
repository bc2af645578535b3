import '../../server/src/set-up-node.js';

// Run once after installation: what `serve` loads is compiled, so that already the first start finds it in the cache.
// Where that cannot be, the first start takes a little longer.
try {
  await import('./main.ts');
  await import('../../server/src/prepare.js');
} catch {}
