import { writeFileSync } from 'node:fs';
import { startProgram } from '../program/start-program.ts';
import { writeTable } from './table.ts';
import { walk } from './walk.ts';

/** Writes docs/ACCESS.md anew. A test compares it with what the program does. */
await using program = await startProgram();
writeFileSync(new URL('../../../docs/ACCESS.md', import.meta.url), writeTable(await walk(program)));
