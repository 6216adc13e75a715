import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folders, resolve } from './rules.mjs'

/** Specifiers of run-time imports. */
export const runTime =
  /^\s*(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm

/** Specifiers of static imports, with `import type`. */
export const withTypes = /^\s*(?:import|export)\s+(?:[^'"]*?\sfrom\s+)?['"]([^'"]+)['"]/gm

/** Returns the TypeScript and JavaScript files in this folder and its subfolders. */
export function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => /\.(tsx?|mjs)$/.test(name))
    .map(name => join(folder, name))
}

/** Returns the imports of a file, `runTime` or `withTypes`. */
export function importsOf(file, pattern) {
  const statements = readFileSync(file, 'utf8').matchAll(pattern)
  return [...statements].map(match => resolve(file, match[1] ?? match[2] ?? ''))
}

/** Returns `files` and all files that import one of them, directly or transitively. */
export function importersOf(files, imports) {
  const all = new Set(files)
  for (let before = -1; before !== all.size; ) {
    before = all.size
    for (const { file, target } of imports) if (all.has(target)) all.add(file)
  }
  return all
}

/**
 * Returns the test files that open a database: those that import `testing/database/database.ts`, directly or
 * through other files. Types do not count.
 */
export function databaseTests() {
  const isTest = /\.test\.tsx?$/
  const files = [
    ...readdirSync('.').filter(name => isTest.test(name)),
    ...folders.flatMap(sourcesIn),
  ]
  const imports = files.flatMap(file => importsOf(file, runTime))
  const importers = importersOf(['testing/database/database.ts'], imports)
  return [...importers].filter(file => isTest.test(file))
}
