import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApi30 } from '../../server/src/api/editions.ts';
import { v2Document } from '../../server/src/api/v2-document.ts';
import {
  applyOverlay,
  type Command,
  copyProgram,
  copyTypeScript,
  run,
  type Target,
  tsc,
  v2,
} from './target.ts';

const VERSION = '7.25.0';

interface Settings {
  readonly library?: string;
  /** Generates from the OpenAPI 3.0 document: support for 3.1 is incomplete. */
  readonly edition30?: boolean;
  /** A file of `contract/overlays` to apply first. */
  readonly overlay?: string;
  /** For `--additional-properties`. */
  readonly properties?: string;
  /** Where to copy files of `programs/`, by file name. */
  readonly programs?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  readonly build?: readonly Command[];
  readonly run?: Command;
  readonly env?: Readonly<Record<string, string>>;
}

/** OPENAPI_GENERATOR is the path of the program; without it, Maven downloads it once. */
async function jar(folder: string): Promise<string> {
  const { OPENAPI_GENERATOR } = process.env;
  if (OPENAPI_GENERATOR) return OPENAPI_GENERATOR;
  const artifact = `org.openapitools:openapi-generator-cli:${VERSION}`;
  await run(['mvn', '-q', '-B', 'dependency:copy', `-Dartifact=${artifact}`, '-DoutputDirectory=.'], folder);
  return join(folder, `openapi-generator-cli-${VERSION}.jar`);
}

async function generate(language: string, settings: Settings, folder: string): Promise<void> {
  const { library, properties, flags = [] } = settings;
  const libraryFlags = library ? ['--library', library] : [];
  // As in JSON Schema: a response may have unlisted fields.
  const all = ['disallowAdditionalPropertiesIfNotPresent=false', ...(properties ? [properties] : [])];
  mkdirSync(folder, { recursive: true });
  const own = join(folder, 'v2.json');
  if (settings.edition30) writeFileSync(own, JSON.stringify(openApi30(v2Document)));
  if (settings.overlay) await applyOverlay(settings.overlay, own);
  const document = settings.edition30 || settings.overlay ? own : v2;
  const args = ['generate', '-i', document, '-g', language, '-o', folder, ...libraryFlags, ...flags];
  args.push('--additional-properties', all.join());
  await run(['java', '-jar', await jar(folder), ...args], folder);
}

function target(language: string, settings: Settings): Target {
  const { library, overlay, properties, programs = {}, build = [], run: command, env } = settings;
  return {
    name: `openapi-generator ${VERSION}, ${language}`,
    settings: [
      overlay && `[an overlay](../contract/overlays/${overlay})`,
      library && `\`--library ${library}\``,
      properties && `\`${properties}\``,
    ]
      .filter(Boolean)
      .join(),
    async prepare(folder) {
      await generate(language, settings, folder);
      for (const [name, place] of Object.entries(programs)) copyProgram(name, folder, place);
    },
    build,
    ...(command ? { run: command } : {}),
    ...(env ? { env } : {}),
  };
}

function typeScriptTarget(
  language: string,
  given: Settings,
  remarks: string,
  packages: string[] = [],
): Target {
  const settings = { ...given, properties: 'importFileExtension=.ts' };
  return {
    // Its output is more than types, so it is compiled before Node runs it.
    build: [[...tsc, '--noEmit', 'false', '--outDir', 'out', '--rewriteRelativeImportExtensions']],
    run: [process.execPath, 'out/run.js'],
    name: `openapi-generator ${VERSION}, ${language}`,
    settings: `\`importFileExtension=.ts\`${remarks}`,
    async prepare(folder) {
      await generate(language, settings, join(folder, 'generated'));
      copyTypeScript(`${language}.ts`, folder);
      if (packages.length > 0)
        await run(['npm', 'install', '--prefix', '.', '--no-audit', ...packages], folder);
    },
  };
}

const java = 'mvn -q -B -Dstyle.color=never compile exec:java'.split(' ') as unknown as Command;
/** Debian's copy of the package that Composer would install. */
const guzzle = '/usr/share/php/GuzzleHttp/autoload.php';

export const openapiGeneratorTargets: readonly Target[] = [
  target('python', {
    programs: { 'python.py': 'run.py' },
    build: [
      ['python3', '-m', 'venv', 'venv'],
      ['venv/bin/pip', 'install', '-q', '-r', 'requirements.txt'],
    ],
    run: ['venv/bin/python', 'run.py'],
  }),
  target('go', {
    programs: { 'go.go': 'run/main.go' },
    properties: 'useOneOfDiscriminatorLookup=true',
    flags: ['--git-host', 'example.com', '--git-user-id', 'generated', '--git-repo-id', 'petstore'],
    build: [
      ['go', 'mod', 'tidy'],
      ['go', 'vet', '.', './run'],
    ],
    run: ['go', 'run', './run'],
  }),
  target('java', {
    library: 'native',
    programs: { 'Java.java': 'src/main/java/Java.java' },
    build: [['mvn', '-q', '-B', 'test-compile']],
    run: [...java, '-Dexec.mainClass=Java'],
  }),
  typeScriptTarget(
    'typescript-fetch',
    { edition30: true },
    ', `/v2/openapi-3.0.json`: no support for webhooks',
  ),
  typeScriptTarget('typescript-axios', {}, '', ['axios']),
  target('rust', {
    overlay: 'openapi-generator-rust.yaml',
    programs: { 'rust.rs': 'examples/run.rs' },
    build: [
      ['cargo', 'add', '-q', '--dev', 'tokio', '--features', 'full'],
      ['cargo', 'build', '-q', '--example', 'run'],
    ],
    run: ['cargo', 'run', '-q', '--example', 'run'],
  }),
  target('kotlin', {
    library: 'jvm-okhttp4',
    properties: 'serializationLibrary=gson,generateOneOfAnyOfWrappers=true',
    programs: { 'Kotlin.kt': 'src/main/kotlin/Kotlin.kt', 'kotlin-pom.xml': 'pom.xml' },
    build: [['mvn', '-q', '-B', 'compile']],
    run: [...java, '-Dexec.mainClass=KotlinKt'],
  }),
  target('ruby', {
    programs: { 'ruby.rb': 'run.rb' },
    run: ['ruby', '-Ilib', 'run.rb'],
  }),
  target('php', {
    programs: { 'php.php': 'run.php' },
    build: existsSync(guzzle) ? [] : [['composer', 'install', '-q', '--no-dev']],
    run: ['php', 'run.php'],
    env: existsSync(guzzle) ? { GUZZLE: guzzle } : {},
  }),
  target('csharp', { build: [['dotnet', 'build', '-v', 'q']] }),
  target('swift6', { build: [['swift', 'build', '-q']] }),
];
