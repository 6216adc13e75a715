import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { importersOf, importsOf, runTime, sourcesIn, withTypes } from './scripts/imports/graph.mjs'
import { folders, isTestCode, refusal, resolve, table } from './scripts/imports/rules.mjs'

const tops = [...folders, 'scripts']
const sources = tops.flatMap(sourcesIn)
const imports = sources.flatMap(file => importsOf(file, runTime))

test('the source files are found', () => {
  expect(imports.length).toBeGreaterThan(200)
})

test('every rule names folders and files that exist', () => {
  const named = Object.entries(table).flatMap(([folder, { may }]) => [folder, ...may])
  expect(named.filter(each => !existsSync(each.replace(/\/\*$/, '')))).toEqual([])
})

test('every import follows the rules', () => {
  const refused = imports.flatMap(each => {
    const reason = refusal(each)
    return reason ? [`${each.file} → ${each.target}: ${reason}`] : []
  })
  expect(refused).toEqual([])
})

test.each([
  ['a folder that is not listed', 'server/http/x.ts', '../live/x.ts'],
  ['a package that is not listed', 'client/x.ts', 'react'],
  ['another feature', 'web/features/teams/x.tsx', '../members/x.tsx'],
  ['testing code', 'server/x.ts', '#testing/app.ts'],
])('the rules refuse %s', (_, file, specifier) => {
  expect(refusal(resolve(file, specifier))).not.toBeNull()
})

test('the linter applies the rules, also in the editor', () => {
  const config = JSON.parse(readFileSync('.oxlintrc.json', 'utf8'))
  expect(config.jsPlugins).toContain('./scripts/imports/lintPlugin.mjs')
  expect(config.rules['pitboard/imports']).toBe('error')
})

test('browser code imports only types from files that use zod', () => {
  const zodUsers = new Set(imports.filter(each => each.target === 'zod').map(each => each.file))
  const carriers = importersOf(zodUsers, imports)
  const leaks = imports.filter(
    ({ file, target }) =>
      /^(web|client|support\/web)\//.test(file) && !isTestCode(file) && carriers.has(target),
  )
  expect(leaks.map(({ file, target }) => `${file} → ${target}`)).toEqual([])
})

test('no files import each other in a cycle, types included', () => {
  expect(findCycle()).toEqual([])
})

/** Returns the files of one import cycle, or none. */
function findCycle(): string[] {
  const targets = new Map(
    sources.map(file => [file, importsOf(file, withTypes).map(({ target }) => target)]),
  )
  const done = new Set<string>()
  function visit(file: string, path: string[]): string[] {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return []
    for (const target of targets.get(file) ?? []) {
      const cycle = visit(target, [...path, file])
      if (cycle.length > 0) return cycle
    }
    done.add(file)
    return []
  }
  return sources.map(file => visit(file, [])).find(cycle => cycle.length > 0) ?? []
}
