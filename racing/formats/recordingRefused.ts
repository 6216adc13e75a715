/** An unreadable recording or circuit file. The message is one sentence for the user. */
export class RecordingRefused extends Error {
  /** True if the positions can be read, but have no times. */
  readonly lacksTimes: boolean
  /** True if a circuit file can be read, but has no line of a usable length. */
  readonly lacksLine: boolean

  constructor(message: string, { lacksTimes = false, lacksLine = false } = {}) {
    super(message)
    this.lacksTimes = lacksTimes
    this.lacksLine = lacksLine
  }
}
