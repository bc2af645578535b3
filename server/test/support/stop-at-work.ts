/** Preloaded into a program: the process that copies or checks a database suspends itself before it begins. */
if (['backup', 'check'].includes(process.argv[2] ?? '')) process.kill(process.pid, 'SIGSTOP');
