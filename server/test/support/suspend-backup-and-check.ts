/** Preloaded into a program: its backup and check processes suspend themselves before they start. */
if (['backup', 'check'].includes(process.argv[2] ?? '')) process.kill(process.pid, 'SIGSTOP');
