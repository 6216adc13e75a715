/** The callbacks of one kind of event. */
export class Listeners<Args extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...args: Args) => void>()

  /** Call the result to remove the listener. */
  add(listener: (...args: Args) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  notify(...args: Args) {
    for (const listener of this.#listeners) listener(...args)
  }
}
