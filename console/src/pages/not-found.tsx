import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';
import { Link } from '../router/link.tsx';

export function NotFound() {
  return (
    <Page name="Not found" title="Nothing lives here">
      <div className="panel">
        <Empty title="This address leads nowhere" animal="gecko">
          <p>It may be mistyped, or from another version of the console.</p>
          <Link to="/" className="button">
            To the overview
          </Link>
        </Empty>
      </div>
    </Page>
  );
}
