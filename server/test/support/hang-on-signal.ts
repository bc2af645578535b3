/** Loaded into a program before anything else: on SIGUSR2 its event loop never turns again. */
process.on('SIGUSR2', () => {
  for (;;);
});
