import { writeFileSync } from 'node:fs';
import { startProgram } from '../program/start-program.ts';
import { formatPage } from './table.ts';
import { walk } from './walk.ts';

/** Regenerates docs/appendix/ACCESS.md. A test compares it with the running service. */
await using program = await startProgram();
writeFileSync(new URL('../../../docs/appendix/ACCESS.md', import.meta.url), formatPage(await walk(program)));
