import { copyProgram, run, type Target, v2 } from './target.ts';

const PYTHON_CLIENT = '0.29.1';
const OAPI_CODEGEN = '2.8.1';

/** Generators from PyPI, and as Go modules. */
export const otherTargets: readonly Target[] = [
  {
    name: `openapi-python-client ${PYTHON_CLIENT}`,
    settings: '`--meta setup`',
    async prepare(folder) {
      await run(['python3', '-m', 'venv', 'venv'], folder);
      await run(['venv/bin/pip', 'install', '-q', `openapi-python-client==${PYTHON_CLIENT}`], folder);
      const args = ['generate', '--path', v2, '--meta', 'setup', '--output-path', 'generated'];
      await run(['venv/bin/openapi-python-client', ...args], folder);
      copyProgram('python-client.py', folder, 'run.py');
    },
    build: [['venv/bin/pip', 'install', '-q', './generated']],
    run: ['venv/bin/python', 'run.py'],
  },
  {
    name: `oapi-codegen ${OAPI_CODEGEN}`,
    settings: '`-generate types,client`',
    async prepare(folder) {
      const module = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v${OAPI_CODEGEN}`;
      await run(['go', 'mod', 'init', 'example.com/generated'], folder);
      const args = ['-generate', 'types,client', '-package', 'main', '-o', 'generated.go', v2];
      await run(['go', 'run', module, ...args], folder);
      copyProgram('oapi-codegen.go', folder, 'main.go');
    },
    build: [
      ['go', 'mod', 'tidy'],
      ['go', 'vet', '.'],
    ],
    run: ['go', 'run', '.'],
  },
];
