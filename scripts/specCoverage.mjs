// npm run spec: prints each statement of the specification with its tests and our departure from it, if any.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from './commandLine.mjs'
import { root } from './run.mjs'

const folders = [
  'contract',
  'client',
  'racing',
  'server',
  'support',
  'web',
  'testing',
  'sim',
  'e2e',
  'scripts',
]

/** Returns the lines of the specification: a heading without an id, or a statement. */
export function statements() {
  return textOf('docs/specification.tsv')
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [id, statement] = line.split('\t')
      return statement === undefined ? { heading: line.replace(/^# /, '') } : { id, statement }
    })
}

/** Returns our departures by the id of their statement. */
export function departures() {
  return [...textOf('docs/DEPARTURES.md').matchAll(/^\| ([A-Z]+-\d+) \| (.+) \|$/gm)].map(
    ([, id, departure]) => ({ id, departure }),
  )
}

/** Returns the ids of all comments such as `// spec: TL-1 TL-2`, each with its file and the line after the comment. */
export function citations() {
  return sourceFiles()
    .filter(file => /\.(test|spec)\.tsx?$/.test(file))
    .flatMap(file =>
      [...textOf(file).matchAll(/^\s*\/\/ spec: (.+)\n(.*)$/gm)].flatMap(
        ([, ids = '', shows = '']) =>
          ids
            .trim()
            .split(/\s+/)
            .map(id => ({ id, file, shows })),
      ),
    )
}

/** Returns the paths of all TypeScript files. */
export function sourceFiles() {
  return folders
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter(file => /\.tsx?$/.test(file))
        .map(file => `${folder}/${file.replaceAll('\\', '/')}`),
    )
    .sort()
}

export function textOf(file) {
  return readFileSync(join(root, file), 'utf8')
}

function printCoverage() {
  const cited = citations()
  const departed = new Map(departures().map(({ id, departure }) => [id, departure]))
  for (const { heading, id, statement } of statements()) {
    if (heading !== undefined) console.log(`\n# ${heading}\n`)
    else {
      const files = new Set(cited.filter(citation => citation.id === id).map(({ file }) => file))
      console.log(`${id}  ${statement}`)
      for (const file of files) console.log(`    ${file}`)
      if (departed.has(id)) console.log(`    Departure: ${departed.get(id)}`)
    }
  }
}

if (process.argv[1] === import.meta.filename) {
  readCommandLine({ usage: 'npm run spec' })
  printCoverage()
}
