// Reads the command lines of our commands. Plain Node: some run before packages are installed.
import { parseArgs } from 'node:util'

/** The exit code for a wrong command line. */
const wrongCommandLine = 2

/**
 * Reads the options and words of a command. Prints the usage and exits for `--help`; prints a sentence and the usage
 * and exits with code 2 for an unknown option, for too few or too many words, and for a value of `numbers` that is not
 * one of 0 or more.
 * @type {typeof import('./commandLine.d.mts').readCommandLine}
 */
export function readCommandLine({ usage, options, numbers = [], leastWords = 0, mostWords = 0 }) {
  const withHelp = { ...options, help: { type: 'boolean' } }
  let parsed
  try {
    parsed = parseArgs({ options: withHelp, allowPositionals: true })
  } catch (error) {
    // Node explains how to pass a word that looks like an option, which no command has.
    refuseCommandLine(`${error.message.split(/\.? To specify/)[0]}.`, usage)
  }
  const { values, positionals: words } = parsed
  if (values.help) {
    console.log(usage)
    process.exit(0)
  }
  for (const name of numbers) {
    const value = values[name]
    if (value !== undefined && !/^\d+(\.\d+)?$/.test(value))
      refuseCommandLine(`--${name} ${value} is not a number of 0 or more.`, usage)
  }
  if (words.length > mostWords) refuseCommandLine(`Unknown argument '${words[mostWords]}'.`, usage)
  if (words.length < leastWords) refuseCommandLine('An argument is missing.', usage)
  return { values, words }
}

/** Prints a sentence and the usage, and exits with code 2. */
export function refuseCommandLine(sentence, usage) {
  console.error(`${sentence}\n\n${usage}`)
  process.exit(wrongCommandLine)
}
