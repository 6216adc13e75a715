/** An unreadable recording or circuit file. The message is one sentence for the user. */
export class RecordingRefused extends Error {
  /** True if the positions can be read, but have no times. */
  readonly lacksTimes: boolean

  constructor(message: string, { lacksTimes = false } = {}) {
    super(message)
    this.lacksTimes = lacksTimes
  }
}
