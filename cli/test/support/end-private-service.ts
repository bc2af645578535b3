/** Preloaded into a program: the private service that it starts exits before it is ready. */
if (process.argv.includes('private-service')) {
  if (process.env.END_BY === 'kill') process.kill(process.pid, 'SIGKILL');
  process.exit(9);
}
