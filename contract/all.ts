import { checkBreakingChanges } from './breaking.ts';

/**
 * Writes everything that is generated from the program, in this order, unless v1 would break its clients; with --check,
 * fails if the committed files differ. All in one process, which loads the program once.
 */
checkBreakingChanges();
if (process.exitCode !== 1) {
  await import('./generate.ts');
  await import('./client-types.ts');
  await import('./console-lists.ts');
  await import('./states-picture.ts');
  await import('./decision-tables.ts');
  await import('./cli-commands.ts');
}
