import { type Ended, runProgram, spawnProgram } from '../../support/program.ts';

/** Starts the real program with something to read from its standard input. */
export const startFed = (args: readonly string[]) => spawnProgram(args);

/** Runs the real program to its end, with a text for it to read. */
export const runFed = (args: readonly string[], input = ''): Promise<Ended> => runProgram(args, { input });
