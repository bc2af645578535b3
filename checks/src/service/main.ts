import { runAcceptance } from './run-acceptance.ts';

const { argv, env, stdout, stderr } = process;
process.exitCode = await runAcceptance(argv.slice(2), {
  isColourful: stdout.isTTY && !env.NO_COLOR,
  print: (text) => stdout.write(text),
  warn: (text) => stderr.write(text),
});
