/** Loaded into a program before anything else: the private service that it starts ends before it is ready. */
if (process.argv.includes('private-service')) {
  if (process.env.END_BY === 'kill') process.kill(process.pid, 'SIGKILL');
  process.exit(9);
}
