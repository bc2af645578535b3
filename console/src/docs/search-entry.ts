/** An entry of the search index. */
export interface Entry {
  readonly path: string;
  readonly page: string;
  readonly heading: string;
  /** The operation's ID; absent for a guide. */
  readonly name?: string;
  readonly text: string;
}
