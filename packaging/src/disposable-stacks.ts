type Dispose = () => unknown;

/** Polyfills for Node 22 of the parts of DisposableStack and AsyncDisposableStack that the program uses. */
class Stack {
  disposed = false;
  #disposers: Dispose[] = [];

  defer(dispose: Dispose): void {
    this.#disposers.push(dispose);
  }

  move(): this {
    const moved = new (this.constructor as new () => this)();
    moved.#disposers = this.takeAll().reverse();
    return moved;
  }

  /** In reverse order of registration. */
  protected takeAll(): Dispose[] {
    const all = this.#disposers.reverse();
    this.#disposers = [];
    this.disposed = true;
    return all;
  }
}

export class DisposableStack extends Stack {
  use<T extends Disposable>(resource: T): T {
    this.defer(() => resource[Symbol.dispose]());
    return resource;
  }

  dispose(): void {
    const errors: unknown[] = [];
    for (const dispose of this.takeAll()) {
      try {
        dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

export class AsyncDisposableStack extends Stack {
  use<T extends AsyncDisposable | Disposable>(resource: T): T {
    const dispose =
      Symbol.asyncDispose in resource ? resource[Symbol.asyncDispose] : resource[Symbol.dispose];
    this.defer(() => dispose.call(resource));
    return resource;
  }

  async disposeAsync(): Promise<void> {
    const errors: unknown[] = [];
    for (const dispose of this.takeAll()) {
      try {
        await dispose();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.disposeAsync();
  }
}
