/** Loaded into a program before anything else: a process of it that copies or checks a database stops before it begins. */
if (['backup', 'check'].includes(process.argv[2] ?? '')) process.kill(process.pid, 'SIGSTOP');
