import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const programs = ['main', 'restore', 'recompute', 'databaseThread', 'readProcess']

/**
 * Packages that read their own files in functions that the server does not call: threads for logging (pino), the
 * client's script (socket.io). @fastify/swagger ignores a missing file, which holds the title of an API without one.
 */
const unused = ['@fastify/swagger', 'pino', 'socket.io', 'thread-stream']

test.each(programs)('packages in %s.js need no file of their own', program => {
  const text = readFileSync(join(import.meta.dirname, `../../dist/server/${program}.js`), 'utf8')
  // esbuild names the file in a comment before its code.
  const files = text.split(/^\/\/ (?=[\w@-]+\/)/m).filter(file => file.startsWith('node_modules/'))
  const reading = files.filter(file => /\b__(dirname|filename)\b|\bimport\.meta\./.test(file))
  const names = reading.map(file => /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(file)?.[1])
  // Such a package belongs to `external` in scripts/build.mjs.
  expect(names.filter(name => !unused.includes(name ?? ''))).toEqual([])
  expect(files.length).toBeGreaterThan(program === 'main' ? 100 : 0)
})
