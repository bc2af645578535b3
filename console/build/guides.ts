import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Marked } from 'marked';
import { highlight } from '../src/docs/highlight.ts';
import { requestsIn } from '../src/docs/safe-requests.ts';
import type { Entry } from '../src/docs/search-entry.ts';

interface Guide {
  /** Its path under `/guides`. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** The source file, relative to `docs/`. */
  readonly file: string;
  /** A page of the course: listed in the course only. */
  readonly isLesson?: boolean;
}

const all: readonly Guide[] = [
  {
    name: 'tour',
    title: 'Get started',
    about: 'From zero to a tested client in 15 minutes',
    file: 'TOUR.md',
  },
  {
    name: 'testing',
    title: 'Test a client',
    about: 'Put a store in any state, trigger failures, and run the client checks',
    file: 'TESTING.md',
  },
  {
    name: 'teaching',
    title: 'Teach a class',
    about: 'Exercises, and a check that a test suite catches bugs',
    file: 'TEACHING.md',
  },
  {
    name: 'course',
    title: 'The course',
    about: 'Fifteen exercises in API testing, in Python, JavaScript and Java',
    file: 'course/README.md',
  },
  { name: 'errors', title: 'Errors', about: 'Every error code, its cause and its fix', file: 'ERRORS.md' },
  {
    name: 'limits',
    title: 'Limits',
    about: 'Quotas and size limits, and what happens when you exceed them',
    file: 'api/LIMITS.md',
  },
  {
    name: 'migration',
    title: 'Migrate to version 2',
    about: 'What changes from version 1, call by call',
    file: 'MIGRATION.md',
  },
  {
    name: 'client',
    title: 'TypeScript client',
    about: 'Orders, pagination, retries and events in a few lines',
    file: 'CLIENT.md',
  },
  {
    name: 'command-line',
    title: 'Command line',
    about: 'Run the service, its checks and your store from a terminal',
    file: 'CLI.md',
  },
  {
    name: 'ci',
    title: 'CI',
    about: 'A store for each run, on GitHub Actions, GitLab and others',
    file: 'CI.md',
  },
  {
    name: 'packages',
    title: 'Packages',
    about: 'Executable, tarball and container image, for machines without a clone',
    file: 'PACKAGES.md',
  },
  {
    name: 'test-package',
    title: 'Stores in your tests',
    about: "A private store for each of your tests, in the test's process",
    file: '../testing/README.md',
  },
  {
    name: 'agents',
    title: 'AI agents',
    about: 'The same operations as tools, over the Model Context Protocol',
    file: 'AGENTS.md',
  },
  {
    name: 'decisions',
    title: 'Design decisions',
    about: 'What the specification leaves open, by topic, and the stability of every operation',
    file: 'DECISIONS.md',
  },
  {
    name: 'version-1',
    title: 'Version 1',
    about: 'Orders, pets and HTTP in the frozen API',
    file: 'api/V1.md',
  },
  {
    name: 'version-2',
    title: 'Version 2',
    about: 'Requests, idempotency, pagination and schemas',
    file: 'api/V2.md',
  },
  {
    name: 'events',
    title: 'Events and webhooks',
    about: 'Event log, streams and deliveries',
    file: 'api/EVENTS.md',
  },
  {
    name: 'sandbox',
    title: 'Sandbox',
    about: 'Data sets, resets, temporary stores and faults',
    file: 'api/SANDBOX.md',
  },
  {
    name: 'accounts',
    title: 'Keys and accounts',
    about: 'Keys, passwords, sessions and logs',
    file: 'api/ACCOUNTS.md',
  },
  {
    name: 'generators',
    title: 'Generated clients',
    about: 'Clients generated from the OpenAPI documents, and what each generator gets wrong',
    file: 'GENERATORS.md',
  },
  {
    name: 'gateways',
    title: 'Check a gateway',
    about: 'What nginx, HAProxy, Apache, Caddy and others break by default, and configurations that pass',
    file: 'GATEWAYS.md',
  },
  {
    name: 'services',
    title: 'Check a service',
    about: 'Check any service against the specification',
    file: 'SERVICES.md',
  },
  {
    name: 'mocks',
    title: 'For mock authors',
    about: 'How Prism, Mockoon and json-server score',
    file: 'MOCKS.md',
  },
  {
    name: 'specification',
    title: 'Specification',
    about: 'Every statement, with its checks and documentation',
    file: 'SPECIFICATION.md',
  },
  {
    name: 'operations',
    title: 'Operations',
    about: 'Where to start if you run the service',
    file: 'OPERATIONS.md',
  },
  {
    name: 'run',
    title: 'Run the service',
    about: 'One machine: process, files, log, addresses',
    file: 'operations/RUN.md',
  },
  {
    name: 'replicas',
    title: 'Replicas',
    about: 'PostgreSQL, several processes, a load balancer',
    file: 'operations/REPLICAS.md',
  },
  {
    name: 'backups',
    title: 'Backups',
    about: 'Back up, restore, check, and move between databases',
    file: 'operations/BACKUPS.md',
  },
  {
    name: 'upgrades',
    title: 'Upgrades',
    about: 'Install a new version',
    file: 'operations/UPGRADES.md',
  },
  {
    name: 'monitoring',
    title: 'Monitoring',
    about: 'Metrics, traces, alerts and what to do about them',
    file: 'operations/MONITORING.md',
  },
  {
    name: 'reliability',
    title: 'Reliability',
    about: 'What is guaranteed, and how it was tested',
    file: 'RELIABILITY.md',
  },
  {
    name: 'performance',
    title: 'Performance',
    about: 'Benchmarks and how to repeat them',
    file: 'PERFORMANCE.md',
  },
  {
    name: 'scale',
    title: 'Scale',
    about: 'Sizing, from one machine to many',
    file: 'SCALE.md',
  },
  {
    name: 'security',
    title: 'Security',
    about: 'Reporting vulnerabilities, guarantees, and limits',
    file: '../SECURITY.md',
  },
];

/** The contents, by what the reader wants to do. */
const topics: ReadonlyArray<readonly [topic: string, names: readonly string[]]> = [
  ['Start', ['tour', 'client', 'command-line', 'generators', 'agents']],
  ['Test', ['testing', 'test-package', 'ci', 'sandbox']],
  ['Teach and learn', ['teaching', 'course']],
  ['Look up', ['errors', 'limits', 'version-1', 'version-2', 'events', 'accounts', 'decisions', 'migration']],
  ['Check gateways and services', ['gateways', 'services', 'mocks', 'specification']],
  [
    'Run the service',
    [
      'packages',
      'operations',
      'run',
      'replicas',
      'backups',
      'upgrades',
      'monitoring',
      'security',
      'reliability',
      'performance',
      'scale',
    ],
  ],
];

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const lessons: readonly Guide[] = readdirSync(join(docs, 'course'))
  .filter((file) => file !== 'README.md')
  .map((file) => {
    const [, title = ''] = /^# (.*)/.exec(readFileSync(join(docs, 'course', file), 'utf8')) ?? [];
    const name = `course-${file.replace('.md', '')}`;
    return { name, title, about: '', file: `course/${file}`, isLesson: true };
  });
/** The guides in the contents; lessons are listed in the course. */
export const listed = topics
  .flatMap(([, names]) => names)
  .flatMap((name) => all.filter((guide) => guide.name === name))
  .filter(({ file }) => existsSync(join(docs, file)));
const guides = [...listed, ...lessons];

/** The URL of a linked file; undefined if it is not published as a guide. */
function addressOf(href: string, from: string): string | undefined {
  if (/^(https?:|#|\/)/.test(href)) return href;
  const fragment = href.split('#')[1];
  const guide = guides.find(({ file }) => pathOf(file, '') === pathOf(href, from));
  return guide && `/guides/${guide.name}${fragment ? `#${fragment}` : ''}`;
}

/** The linked file's path in the repository; `from` is the linking file in `docs/`. */
function pathOf(href: string, from: string): string {
  return new URL(href, `file:///docs/${from}`).pathname.slice(1);
}

const aboutPaths =
  '<p>Paths such as <code>docs/OPERATIONS.md</code> refer to files in the Pet Store repository.</p>\n';

/** Indented blocks do not name their language; most are commands. */
const languageOf = (text: string) => {
  if (/^\s*[[{]/.test(text)) return 'json';
  return /^(import|const|await|export (default|const)|using) |^\/\//m.test(text) ? 'js' : 'sh';
};

const slug = (text: string) =>
  text
    .toLowerCase()
    .replace(/<[^>]+>|[^\w\s-]/g, '')
    .trim()
    .replaceAll(/\s+/g, '-');

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Where a long name may be broken: before a slash, and after other punctuation between two words. */
const breakable = (word: string) =>
  word
    .split(/(?<=[\w}])(?=\/\w)|(?<=\w[_=,&?|]|[a-z]\.)(?=[a-z])|(?<=":)(?=")/i)
    .map(escaped)
    .join('<wbr>');

/** Browsers break lines after hyphens: a short option or header name stays whole. */
const unbroken = (word: string) =>
  /^[\w.=,:-]{1,24}$/.test(word) && word.includes('-')
    ? `<span class="whole">${word}</span>`
    : breakable(word);

/** As `src/docs/code-card.tsx`, which needs React. */
function codeCard(text: string, language: string): string {
  const run = requestsIn(text) ? '<button type="button" data-run>Run on staging</button>' : '';
  const code = highlight(text, language).map(([kind, part]) =>
    kind ? `<span class="code-${kind}">${escaped(part)}</span>` : escaped(part),
  );
  return `<div class="code-card code-bare"><div class="code-head">${run}<button type="button" data-copy>Copy</button></div><pre tabindex="0"><code>${code.join('')}</code></pre></div>\n`;
}

/** Converts a page of `docs/`: relative links depend on its folder. */
const markdownOf = (from: string) =>
  new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${slug(text)}">${text}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const address = addressOf(href, from);
        if (address !== undefined) return `<a href="${address}" class="link">${text}</a>`;
        const path = pathOf(href, from);
        return text.replaceAll('<wbr>', '').includes(path) ? text : `${text} (<code>${path}</code>)`;
      },
      codespan: ({ text }) => `<code>${text.split(/(\s+)/).map(unbroken).join('')}</code>`,
      code: ({ text, lang = '' }) => codeCard(text, lang || languageOf(text)),
      // Images from `docs/` are not served.
      image: () => '',
      table({ header, rows }) {
        const line = (cells: typeof header, tag: string) =>
          `<tr>${cells
            .map(({ tokens }) => this.parser.parseInline(tokens))
            // An empty header cell is a plain cell: axe rejects an empty <th>.
            .map((text) => (text === '' ? '<td></td>' : `<${tag}>${text}</${tag}>`))
            .join('')}</tr>`;
        const body = rows.map((cells) => line(cells, 'td')).join('');
        return `<div class="guide-table" tabindex="0"><table><thead>${line(header, 'th')}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });

/** A lesson is in the course. */
const isIn = (guide: Guide, here?: Guide) =>
  guide === here || (here?.isLesson === true && guide.name === 'course');

const linkTo = (guide: Guide, here?: Guide) =>
  `<li><a href="/guides/${guide.name}"${isIn(guide, here) ? ' aria-current="page"' : ''}>${guide.title}</a></li>`;

function navigationFor(here?: Guide): string {
  const parts = topics.map(
    ([topic, names]) =>
      `<div><p class="docs-group">${topic}</p><ul>${listed
        .filter(({ name }) => names.includes(name))
        .map((guide) => linkTo(guide, here))
        .join('')}</ul></div>`,
  );
  return parts.join('');
}

/** Links to the sections of a guide, next to it and, on narrow screens, below its heading; none for a short one. */
function sectionsOf(content: string): { readonly aside: string; readonly content: string } {
  const sections = Array.from(content.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/g), ([, id, title = '']) => {
    const name = title.replaceAll(/<\/?(a|code)\b[^>]*>/g, '');
    return `<li><a href="#${id}" data-spy="${id}">${name}</a></li>`;
  });
  if (sections.length < 3) return { aside: '', content };
  const list = `<ul>${sections.join('')}</ul>`;
  const details = `<details class="guide-contents"><summary>On this page</summary>${list.replaceAll(/ data-spy="[^"]+"/g, '')}</details>`;
  return {
    aside: `<nav aria-label="On this page"><p>On this page</p>${list}</nav>`,
    content: content.replace('</h1>', () => `</h1>${details}`),
  };
}

/** The pages before and after it; a lesson links to the next one itself. */
function neighboursOf(here: Guide): string {
  if (here.isLesson) return '';
  const at = listed.indexOf(here);
  const link = (guide: Guide | undefined, word: string, rel: string) =>
    guide
      ? `<a href="/guides/${guide.name}" rel="${rel}"><small>${word}</small><span>${guide.title}</span></a>`
      : '<span></span>';
  return `<nav aria-label="Next and previous" class="guide-next">${link(listed[at - 1], 'Previous', 'prev')}${link(listed[at + 1], 'Next', 'next')}</nav>\n`;
}

/** The text of each section, for the search. */
function entriesOf({ name, title }: Guide, content: string): Entry[] {
  return content.split(/(?=<h[23] )/).map((section) => {
    const [, id = '', heading = title] = /^<h[23] id="([^"]+)">(.*?)<\/h/s.exec(section) ?? [];
    const [, text = section] = /^<h[123][^>]*>.*?<\/h[123]>(.*)$/s.exec(section) ?? [];
    return {
      path: `/guides/${name}${id && `#${id}`}`,
      page: title,
      heading: plainText(heading),
      text: plainText(text),
    };
  });
}

const plainText = (html: string) =>
  html
    .replaceAll('<wbr>', '')
    .replaceAll(/<button.*?<\/button>|<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(39|x27);/g, "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();

function contents(): string {
  const card = ({ name, title, about }: Guide) =>
    `<li><a href="/guides/${name}"><strong>${title}</strong><span>${about}</span></a></li>`;
  const parts = topics.map(([topic, names]) => {
    const cards = listed.filter(({ name }) => names.includes(name)).map(card);
    return `<h2>${topic}</h2><ul class="guides">${cards.join('')}</ul>`;
  });
  return `<h1>Guides</h1>${parts.join('')}`;
}

/** Renders the guides from `docs/` into the built frame, and completes the search index of the reference. */
export async function makeGuides(folder: string): Promise<void> {
  const frame = await readFile(join(folder, 'guide.html'), 'utf8');
  const entries: Entry[] = JSON.parse(await readFile(join(folder, 'search.json'), 'utf8'));
  // Links such as `/docs/v2#placeOrder` go to the page of the operation.
  const pages = new Map(entries.map(({ path }) => [path.replace(/^(\/docs\/v2)\/\w+/, '$1'), path]));
  await mkdir(join(folder, 'guides'), { recursive: true });
  const write = async (name: string, parts: Record<'title' | 'navigation' | 'content' | 'aside', string>) => {
    const page = frame.replaceAll(
      /<!-- (title|navigation|content|aside) -->/g,
      (_, part) => parts[part as 'title'],
    );
    const linked = page.replaceAll(/href="(\/docs\/v2#\w+)"/g, (link, href) => {
      const path = pages.get(href);
      return path ? `href="${path}"` : link;
    });
    await writeFile(join(folder, `guides/${name}.html`), linked);
  };
  await write('index', { title: 'Guides', navigation: navigationFor(), content: contents(), aside: '' });
  for (const guide of guides) {
    const content = await markdownOf(guide.file).parse(await readFile(join(docs, guide.file), 'utf8'));
    const isNamingPaths = /\(<code>[\w/.-]+<\/code>\)/.test(content);
    const sections = sectionsOf(content);
    entries.push(...entriesOf(guide, content));
    await write(guide.name, {
      title: guide.title,
      navigation: navigationFor(guide),
      content: sections.content + (isNamingPaths ? aboutPaths : '') + neighboursOf(guide),
      aside: sections.aside,
    });
  }
  await rm(join(folder, 'guide.html'));
  await rm(join(folder, 'search.json'));
  await nameIndex(folder, JSON.stringify(entries));
}

/** The name of the search index contains its hash, so that browsers may keep it. */
async function nameIndex(folder: string, index: string): Promise<void> {
  const name = `assets/search-${hash('sha256', index, 'hex').slice(0, 8)}.json`;
  await writeFile(join(folder, name), index);
  const files = await readdir(folder, { recursive: true });
  for (const file of files.filter((name) => /^(docs|guides)\/.*\.html$/.test(name))) {
    const page = await readFile(join(folder, file), 'utf8');
    await writeFile(join(folder, file), page.replace('SEARCH_INDEX', `/console/${name}`));
  }
}
