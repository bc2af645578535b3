type LetGo = () => unknown;

/** Node 22 has no stacks of what is disposed of. These do for its packages what the program asks of them. */
class Stack {
  disposed = false;
  #held: LetGo[] = [];

  defer(letGo: LetGo): void {
    this.#held.push(letGo);
  }

  move(): this {
    const moved = new (this.constructor as new () => this)();
    moved.#held = this.takeAll().reverse();
    return moved;
  }

  /** The last that came is the first to be let go of. */
  protected takeAll(): LetGo[] {
    const all = this.#held.reverse();
    this.#held = [];
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
    for (const letGo of this.takeAll()) {
      try {
        letGo();
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
    const letGo = Symbol.asyncDispose in resource ? resource[Symbol.asyncDispose] : resource[Symbol.dispose];
    this.defer(() => letGo.call(resource));
    return resource;
  }

  async disposeAsync(): Promise<void> {
    const errors: unknown[] = [];
    for (const letGo of this.takeAll()) {
      try {
        await letGo();
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
