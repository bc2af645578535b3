/** Preloaded into a program: on SIGUSR2 its event loop blocks forever. */
process.on('SIGUSR2', () => {
  // It is never notified.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
