import { Page } from '../components/page.tsx';
import { Empty } from '../components/states.tsx';
import { Link } from '../router/link.tsx';

export function NotFound() {
  return (
    <Page name="Not found" title="Page not found">
      <div className="panel">
        <Empty title="There is no page at this address" animal="gecko">
          <p>Check the address, or start from the overview.</p>
          <Link to="/" className="button">
            Go to overview
          </Link>
        </Empty>
      </div>
    </Page>
  );
}
