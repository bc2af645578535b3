import { Component, type ReactNode } from 'react';
import { Failure } from './states.tsx';

/** Error boundary: shows an error instead of a blank page. */
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
