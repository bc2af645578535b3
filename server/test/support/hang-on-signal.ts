/** Loaded into a program before anything else: on SIGUSR2 its event loop never turns again. */
process.on('SIGUSR2', () => {
  // Nobody ever wakes it.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
