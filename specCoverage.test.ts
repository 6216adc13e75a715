import { expect, test } from 'vitest'
import { citations, departures, sourceFiles, statements, textOf } from './scripts/specCoverage.mjs'

/** A test or group that is not skipped. */
const runningTest = /^\s*(test|describe|test\.describe)(\.each)?[(<]/
const ids = statements().flatMap(({ id }) => id ?? [])
const known = new Set(ids)
const cited = citations()
const departed = departures()

test('the statements are found, and each id is listed once', () => {
  expect(ids.length).toBeGreaterThan(270)
  expect(ids.filter(id => !/^[A-Z]+-\d+$/.test(id))).toEqual([])
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
})

test('every departure is from a statement, and listed once', () => {
  const from = departed.map(({ id }) => id)
  expect(from.length).toBeGreaterThan(50)
  expect(from.filter((id, index) => !known.has(id) || from.indexOf(id) !== index)).toEqual([])
})

test('every statement has a test, unless we leave it out', () => {
  const shown = new Set(cited.map(({ id }) => id))
  const leftOut = new Set(
    departed.flatMap(({ id, departure }) => (departure.startsWith('Left out: ') ? id : [])),
  )
  expect(ids.filter(id => !shown.has(id) && !leftOut.has(id))).toEqual([])
})

test('every citation names a statement', () => {
  expect(cited.filter(({ id }) => !known.has(id))).toEqual([])
})

test('sources that code names are statements or documents of the repository', () => {
  const sources = sourceFiles().flatMap(file =>
    [...textOf(file).matchAll(/Source: (specification\b|.+ in docs\/specification\.tsv)/g)].map(
      ([, source = '']) => ({ file, source }),
    ),
  )
  expect(sources.length).toBeGreaterThan(5)
  const unknown = sources.filter(({ source }) => {
    const named = source.match(/\b[A-Z]+-\d+\b/g) ?? []
    return named.length === 0 || named.some(id => !known.has(id))
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
