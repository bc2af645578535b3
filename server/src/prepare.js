// Run once after installation: has the program compile all that it needs to serve, so that already its first start
// finds that in the cache.
console.log = () => {};
process.argv = [...process.argv.slice(0, 2), '--version'];
await import('./main.js');
await import('./commands/serve.ts');
