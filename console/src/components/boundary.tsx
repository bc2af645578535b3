import { Component, type ReactNode } from 'react';
import { Failure } from './states.tsx';

/** The last resort: a page that stumbled says so instead of going blank. */
export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: undefined as unknown };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <main className="grid min-h-dvh place-items-center">
        <Failure error={this.state.error} retry={() => location.reload()} />
      </main>
    );
  }
}
