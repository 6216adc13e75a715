// Reports the progress of Vitest and of Playwright to file descriptor 3, for `npm test`.
import { writeSync } from 'node:fs'

const everyMs = 20_000

/** Prints how many files (Vitest) or tests (Playwright) have ended, at most every 20 seconds, and each failed test. */
export default class TestProgress {
  #unit = 'files'
  #total = 0
  #ended = 0
  #printedAt = performance.now()

  onTestRunStart(specifications) {
    this.#total = specifications.length
  }

  onTestCaseResult(test) {
    if (test.result().state === 'failed')
      print(`failed: ${test.module.relativeModuleId}: ${test.fullName}`)
  }

  onTestModuleEnd() {
    this.#count()
  }

  onBegin(_config, suite) {
    this.#unit = 'tests'
    this.#total = suite.allTests().length
  }

  onTestEnd(test, { status }) {
    if (status !== test.expectedStatus && status !== 'skipped')
      print(`failed: ${test.titlePath().filter(Boolean).join(': ')}`)
    this.#count()
  }

  /** Tells Playwright that its own reporters still have to print. */
  printsToStdio() {
    return false
  }

  #count() {
    this.#ended += 1
    const now = performance.now()
    if (now - this.#printedAt < everyMs) return
    this.#printedAt = now
    print(`${this.#ended} of ${this.#total} ${this.#unit}`)
  }
}

function print(text) {
  writeSync(3, `  ${process.env.TEST_LANE}: ${text}\n`)
}
