import type { ReactNode } from 'react';
import { publicPath } from '../base-path.ts';
import { Icon } from '../components/icon.tsx';
import { Logo } from '../components/logo.tsx';

export interface Frame {
  /** The active tab. */
  readonly part: 'reference' | 'guides';
  /** Path of the search index. */
  readonly index: string;
  readonly navigation: ReactNode;
  readonly children: ReactNode;
}

const parts = [
  ['guides', 'Guides', '/guides'],
  ['reference', 'API reference', '/docs'],
] as const;

/** The frame of every page of documentation: header with search, navigation, content. */
export function Frame({ part, index, navigation, children }: Frame) {
  return (
    <>
      <a href="#main" className="button button-primary fixed top-1 left-2 z-50 not-focus:sr-only">
        Skip to content
      </a>
      <header className="docs-top">
        <div className="docs-top-inner">
          <button type="button" className="docs-menu-button" popoverTarget="menu" aria-label="Contents">
            <svg
              viewBox="0 0 24 24"
              width={20}
              height={20}
              stroke="currentColor"
              strokeWidth="1.8"
              aria-hidden="true"
            >
              <path d="M4 7h16M4 12h16M4 17h16" />
            </svg>
          </button>
          <a href={publicPath('/')} aria-label="Pet Store Service, home" className="docs-brand">
            <Logo /> <span>Pet Store</span>
          </a>
          <nav aria-label="Documentation" className="docs-tabs">
            {parts.map(([name, title, href]) => (
              <a key={name} href={publicPath(href)} aria-current={name === part ? 'true' : undefined}>
                {title}
              </a>
            ))}
          </nav>
          <search className="docs-search">
            <Icon name="search" size={16} />
            <input
              type="search"
              id="search"
              role="combobox"
              aria-label="Search the documentation"
              aria-expanded="false"
              aria-controls="found"
              aria-autocomplete="list"
              aria-keyshortcuts="/ Control+K Meta+K"
              placeholder="Search"
              autoComplete="off"
              spellCheck={false}
              data-index={index}
            />
            <kbd>/</kbd>
            <div id="found" role="listbox" aria-label="Results" hidden />
          </search>
          <nav aria-label="Pet Store" className="docs-account">
            <span className="status tone-cancelled hidden capitalize xl:inline-flex" data-deployment-name />
            <button type="button" id="theme" className="docs-icon-button" aria-label="Switch theme">
              <Icon name="moon" size={18} />
              <Icon name="sun" size={18} />
            </button>
            <a href={publicPath('/console/sign-in')} id="account-link" className="docs-account-link">
              Sign in
            </a>
            <a href={publicPath('/console')} className="button button-small">
              Console
            </a>
          </nav>
        </div>
      </header>
      <div className="docs-frame">
        <nav id="menu" popover="auto" aria-label="Contents" className="docs-menu">
          {navigation}
          <ul className="docs-menu-more">
            <li>
              <a href={publicPath('/console')}>Console</a>
            </li>
          </ul>
        </nav>
        <main id="main" className="docs-main">
          {children}
        </main>
      </div>
      <p role="status" id="announcement" className="sr-only" />
    </>
  );
}
