// Run once after installation: compiles what `serve` loads when it starts, so that already the first start finds it in
// the cache. Where that cannot be, the first start takes a little longer.
try {
  console.log = () => {};
  process.argv = [...process.argv.slice(0, 2), '--version'];
  await import('./main.js');
  await import('./commands/serve.ts');
  await import('pino-pretty');
} catch {}
