/** Runs one action at a time, in order of arrival. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs an action after those before it, unless `signal` is aborted until then: its reason is thrown. */
  async run<Result>(act: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const before = this.#last
    let finish = () => {}
    const finished = new Promise<void>(resolve => {
      finish = resolve
    })
    // An action that gives up does not let the next one overtake those before.
    this.#last = before.then(() => finished)
    try {
      await unlessAborted(before, signal)
      return await act()
    } finally {
      finish()
    }
  }

  /** Resolves once nothing runs or waits. */
  async idle() {
    await this.#last
  }
}

function unlessAborted(wait: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    void wait.then(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    })
  })
}
