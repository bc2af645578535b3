/** Preloaded into a program: its process that copies or checks a database stops before it begins. */
if (['backup', 'check'].includes(process.argv[2] ?? '')) process.kill(process.pid, 'SIGSTOP');
