import { publicPath } from '../base-path.ts';
import type { Group } from './document.ts';
import type { Version } from './page-context.ts';
import { hrefOf } from './pages.tsx';
import { withoutMarkdown } from './prose.tsx';

const versions: ReadonlyArray<[Version, stability: string]> = [
  ['v1', 'stable'],
  ['v2', 'beta'],
];

/** The versions, the sections of the first page, and the groups; the open group lists its operations. */
export function Navigation({
  version,
  groups,
  open,
}: {
  readonly version: Version;
  readonly groups: readonly Group[];
  readonly open?: Group;
}) {
  const first = open ? publicPath('/docs/v2') : '';
  const sections = [
    ['quickstart', 'Quickstart'],
    ['basics', 'Basics'],
    version === 'v1' ? ['Error', 'The Error object'] : ['operations', 'All operations'],
    ...(version === 'v2' ? [['ErrorBody', 'The Error object']] : []),
  ];
  return (
    <>
      <div className="segmented docs-versions">
        {versions.map(([name, stability]) => (
          <a
            key={name}
            href={publicPath(`/docs/${name}`)}
            aria-current={name === version ? 'page' : undefined}
          >
            Version {name.slice(1)} <small>{stability}</small>
          </a>
        ))}
      </div>
      <ul>
        {sections.map(([id, title]) => (
          <li key={id}>
            <a href={`${first}#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
      {groups.map((group) => {
        const isOpen = version === 'v1' || group === open;
        const href = version === 'v1' ? `#${group.tag}` : publicPath(`/docs/v2/${group.tag}`);
        return (
          <div key={group.tag}>
            <a className="docs-group" href={href} aria-current={group === open ? 'page' : undefined}>
              {group.name}
            </a>
            {isOpen && (
              <ul>
                {group.operations.map((operation) => (
                  <li key={operation.id}>
                    <a href={hrefOf(version, group, operation).replace(/^.*#/, '#')} data-spy={operation.id}>
                      <span className={operation.isDeprecated ? 'line-through' : ''}>
                        {withoutMarkdown(operation.summary)}
                      </span>
                      <Method {...operation} />
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </div>
        );
      })}
    </>
  );
}

const Method = ({ method, isMessage }: { readonly method: string; readonly isMessage: boolean }) =>
  isMessage ? null : (
    <code className={`method-text method-${method.toLowerCase()}`}>
      {method === 'DELETE' ? 'DEL' : method}
    </code>
  );
