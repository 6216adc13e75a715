import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
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
  ['a folder of screens above', 'web/race/x.tsx', '../laps/x.tsx'],
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
  expect(findCycle(targetsByFile(file => file))).toEqual([])
})

/** Top-level folders whose folders have an order: each imports only earlier ones, types included. */
const layered = ['racing', 'client', 'contract', 'server', 'web']

test.each(layered)('the folders of %s do not import each other in a cycle', top => {
  const isInside = (file: string) => file.startsWith(`${top}/`) && !isTestCode(file)
  expect(findCycle(targetsByFile(folderOf, isInside))).toEqual([])
})

test.each(layered)('no two folders of %s have the same name', top => {
  const paths = [...new Set(sourcesIn(top).map(dirname))]
  expect(repeated(paths.map(path => basename(path)))).toEqual([])
})

test.each(layered)(
  'no two files of a folder of %s have names that differ only by capitals',
  top => {
    const names = sourcesIn(top).map(file => file.toLowerCase().replace(/\.(tsx?|mjs)$/, ''))
    expect(repeated(names)).toEqual([])
  },
)

/**
 * Returns the folder of a file. A file directly in `server` is its own folder: all folders may import `context.ts`, and
 * none may import `app.ts`.
 */
function folderOf(file: string): string {
  return dirname(file) === 'server' ? file : dirname(file)
}

/** Returns which nodes each node imports. `nodeOf` maps a file to its node; files that are not `included` are left out. */
function targetsByFile(
  nodeOf: (file: string) => string,
  included: (file: string) => boolean = () => true,
): Map<string, Set<string>> {
  const targets = new Map<string, Set<string>>()
  for (const file of sources.filter(included)) {
    const node = nodeOf(file)
    const found = targets.get(node) ?? new Set()
    for (const { target, isPackage } of importsOf(file, withTypes)) {
      if (isPackage || !included(target)) continue
      if (nodeOf(target) !== node) found.add(nodeOf(target))
    }
    targets.set(node, found)
  }
  return targets
}

/** Returns the nodes of one import cycle, or none. */
function findCycle(targets: ReadonlyMap<string, Iterable<string>>): string[] {
  const done = new Set<string>()
  function visit(node: string, path: string[]): string[] {
    if (path.includes(node)) return [...path.slice(path.indexOf(node)), node]
    if (done.has(node)) return []
    for (const target of targets.get(node) ?? []) {
      const cycle = visit(target, [...path, node])
      if (cycle.length > 0) return cycle
    }
    done.add(node)
    return []
  }
  return [...targets.keys()].map(node => visit(node, [])).find(cycle => cycle.length > 0) ?? []
}

function repeated(names: string[]): string[] {
  return names.filter((name, index) => names.indexOf(name) !== index)
}
