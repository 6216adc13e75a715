import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const programs = ['main', 'restore', 'recompute', 'databaseThread', 'readProcess']

/**
 * Packages that need no file of their own, although they contain code that reads one. The server does not call this code:
 * it starts threads for logging (pino, thread-stream) or serves the client's script (socket.io). @fastify/swagger reads
 * its package.json for the default title of an API, and ignores a missing one.
 */
const withoutFiles = ['@fastify/swagger', 'pino', 'socket.io', 'thread-stream']

test.each(programs)('the packages bundled into %s.js need no files of their own', program => {
  const text = readFileSync(join(import.meta.dirname, `../../dist/server/${program}.js`), 'utf8')
  // esbuild writes the path of each file in a comment before its code.
  const files = text.split(/^\/\/ (?=[\w@-]+\/)/m).filter(file => file.startsWith('node_modules/'))
  const reading = files.filter(file => /\b__(dirname|filename)\b|\bimport\.meta\./.test(file))
  const names = reading.map(file => /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(file)?.[1])
  // Add a package that needs its files to `external` in scripts/build.mjs.
  expect(names.filter(name => !withoutFiles.includes(name ?? ''))).toEqual([])
  expect(files.length).toBeGreaterThan(program === 'main' ? 100 : 0)
})
