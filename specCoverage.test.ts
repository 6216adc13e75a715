import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Row {
  id: string
  /** Why there need be no test; empty where we do as the specification says. */
  remark: string
}

const root = import.meta.dirname
const folders = ['contract', 'server', 'web', 'testing', 'sim', 'e2e']
const rows = rowsOf(readFileSync(join(root, 'docs/SPEC-COVERAGE.md'), 'utf8'))
const cited = citations()

test('the table was found, and each id stands once', () => {
  const ids = rows.map(({ id }) => id)
  expect(ids.length).toBeGreaterThan(100)
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('a remark says what kind of exception it is', () => {
  const odd = rows.filter(
    ({ remark }) => remark !== '' && !/^(Departure|Not in this part): ./.test(remark),
  )
  expect(odd).toEqual([])
})

test('every row without a remark is shown by a test', () => {
  const shown = new Set(cited.map(({ id }) => id))
  expect(rows.filter(({ id, remark }) => remark === '' && !shown.has(id)).map(byId)).toEqual([])
})

test('every citation names a row', () => {
  const known = new Set(rows.map(byId))
  expect(cited.filter(({ id }) => !known.has(id))).toEqual([])
})

function byId({ id }: Row): string {
  return id
}

/** The rows of all tables: `| TL-1 | statement | remark |`. */
function rowsOf(markdown: string): Row[] {
  return markdown.split('\n').flatMap(line => {
    const cells = /^\|\s*([A-Z]+-\d+)\s*\|(.+)\|(.*)\|$/.exec(line)
    return cells ? [{ id: cells[1] ?? '', remark: (cells[3] ?? '').trim() }] : []
  })
}

/** What stands behind `// spec:` in all tests: `// spec: TL-1 TL-2`. */
function citations(): { id: string; file: string }[] {
  return folders
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter(file => /\.(test|spec)\.tsx?$/.test(file))
        .map(file => join(folder, file)),
    )
    .flatMap(file =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/^\s*\/\/ spec: (.+)$/gm)].flatMap(
        match =>
          (match[1] ?? '')
            .trim()
            .split(/\s+/)
            .map(id => ({ id, file })),
      ),
    )
}
