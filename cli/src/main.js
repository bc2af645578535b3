#!/usr/bin/env node
import { runAsProcess } from './run-as-process.ts';

await runAsProcess();
