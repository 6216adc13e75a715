import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Row {
  id: string
  /** A departure from the specification, or why it is missing; empty if implemented as specified. */
  remark: string
}

interface Citation {
  id: string
  file: string
  /** The line after the comment. */
  shows: string
}

const root = import.meta.dirname
const page = join(root, 'docs/SPEC-COVERAGE.md')
const folders = [
  'contract',
  'client',
  'server',
  'support',
  'web',
  'testing',
  'sim',
  'e2e',
  'scripts',
]
/** `| TL-1 | statement | shown by | remark |` */
const rowLine = /^\| ([A-Z]+-\d+) \| ([^|]+) \|([^|]*)\|([^|]*)\|$/gm
/** A test or group that is not skipped. */
const runningTest = /^\s*(test|describe|test\.describe)(\.each)?[(<]/
const markdown = readFileSync(page, 'utf8')
const rows = rowsOf(markdown)
const cited = citations()

test('the table is found, and each id is listed once', () => {
  const ids = rows.map(byId)
  expect(ids.length).toBeGreaterThan(100)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('a remark starts with its kind of exception', () => {
  const odd = rows.filter(
    ({ remark }) => remark !== '' && !/^(Departure|Not in this part): ./.test(remark),
  )
  expect(odd).toEqual([])
})

test('every row has a test, unless it is not in this part', () => {
  const shown = new Set(cited.map(byId))
  const ours = rows.filter(({ remark }) => !remark.startsWith('Not in this part'))
  expect(ours.map(byId).filter(id => !shown.has(id))).toEqual([])
})

test('every citation refers to a row', () => {
  const known = new Set(rows.map(byId))
  expect(cited.filter(({ id }) => !known.has(id))).toEqual([])
})

test('code cites rows of this table, and no document that is not in the repository', () => {
  const sources = sourceFiles().flatMap(file =>
    [...textOf(file).matchAll(/Source: (specification\b|.+ in docs\/SPEC-COVERAGE\.md)/g)].map(
      ([, source = '']) => ({ file, source }),
    ),
  )
  expect(sources.length).toBeGreaterThan(5)
  const ids = new Set(rows.map(byId))
  const unknown = sources.filter(({ source }) => {
    const named = source.match(/\b[A-Z]+-\d+\b/g) ?? []
    return named.length === 0 || named.some(id => !ids.has(id))
  })
  expect(unknown).toEqual([])
})

test('every citation is directly above a test', () => {
  expect(cited.filter(({ shows }) => !runningTest.test(shows))).toEqual([])
})

test('no test is skipped in files with citations', () => {
  const skips = /\b(test|describe)\b[.\w]*\.(skip|skipIf|runIf|todo|fixme|fails?|only)\b/
  const files = new Set(cited.map(({ file }) => file))
  expect([...files].filter(file => skips.test(textOf(file)))).toEqual([])
})

test('every row has four cells', () => {
  const started = markdown.match(/^\| [A-Z]+-\d+ \|.*$/gm)
  expect(started).toEqual(markdown.match(rowLine))
})

/** Run `vitest run specCoverage.test.ts -u` after citing, moving or renaming a test. */
test('every row lists the files of its tests', async () => {
  const named = markdown.replace(rowLine, (_line, id: string, statement, _files, remark) => {
    const files = new Set(cited.filter(citation => citation.id === id).map(({ file }) => file))
    const cells = [id, statement, [...files].map(file => `\`${file}\``).join(' '), remark.trim()]
    return `|${cells.map(cell => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`
  })
  await expect(named).toMatchFileSnapshot(page)
})

function byId({ id }: { id: string }): string {
  return id
}

function rowsOf(text: string): Row[] {
  return [...text.matchAll(rowLine)].map(([, id = '', , , remark = '']) => ({
    id,
    remark: remark.trim(),
  }))
}

function sourceFiles(): string[] {
  return folders
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter(file => /\.tsx?$/.test(file))
        .map(file => `${folder}/${file.replaceAll('\\', '/')}`),
    )
    .sort()
}

/** Returns the ids of all comments such as `// spec: TL-1 TL-2`. */
function citations(): Citation[] {
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

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
