// The reporter of Vitest for `npm test`.
import { appendFileSync } from 'node:fs'
import { JsonReporter } from 'vitest/node'

/**
 * Writes the results as JSON, with the files of errors outside of tests, which the reporter of Vitest leaves out although
 * they make a run fail: unhandled rejections, and null for a process that crashed. Appends what tests and their servers
 * print to the file TEST_LOG.
 */
export default class TestReport extends JsonReporter {
  #errorFiles = []

  constructor(options = {}) {
    super(options)
  }

  onUserConsoleLog({ content }) {
    if (process.env.TEST_LOG) appendFileSync(process.env.TEST_LOG, content)
  }

  async onTestRunEnd(testModules, unhandledErrors) {
    this.#errorFiles = unhandledErrors.map(({ VITEST_TEST_PATH: path }) => path ?? null)
    await super.onTestRunEnd(testModules)
  }

  async writeReport(report) {
    const errorFiles = this.#errorFiles
    await super.writeReport(JSON.stringify({ ...JSON.parse(report), errorFiles }))
  }
}
