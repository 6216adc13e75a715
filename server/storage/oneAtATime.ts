/** Runs one action at a time, in order of arrival. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve()

  /** Runs an action after all earlier ones. Throws the reason of `signal` if it aborts while the action waits. */
  async run<Result>(act: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const before = this.#last
    let finish = () => {}
    const finished = new Promise<void>(resolve => {
      finish = resolve
    })
    // If this action is aborted while it waits, the next one still waits for the earlier ones.
    this.#last = before.then(() => finished)
    try {
      await unlessAborted(before, signal)
      return await act()
    } finally {
      finish()
    }
  }

  /** Resolves once all actions that were queued before this call have finished. */
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
