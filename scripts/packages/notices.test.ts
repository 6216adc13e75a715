import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../build.mjs'

const root = join(import.meta.dirname, '../..')

beforeAll(() => ensureBuilt(), 120_000)

test.each([
  // One package of each kind: main bundle, font, lazy chunk, service worker.
  ['web', ['react', '@fontsource-variable/archivo', '@rrweb/record', 'workbox-core']],
  // Packages of the server, and of the process that reads recordings.
  ['server', ['fastify', 'web-push', 'pg-types', 'saxes']],
])('dist/%s contains the licence text of every bundled package', (folder, some) => {
  const sections = sectionsOf(folder)
  const names = sections.map(nameOf)
  for (const name of some) expect(names).toContain(name)
  const withoutText = sections.filter(
    section => !/permission|permitted|licen[cs]e/i.test(body(section)),
  )
  expect(withoutText.map(nameOf)).toEqual([])
  // tweetnacl is in the public domain.
  const withoutCopyright = sections.filter(section => !/copyright/i.test(body(section)))
  expect(withoutCopyright.map(nameOf).filter(name => name !== 'tweetnacl')).toEqual([])
})

test('the notices of the server name all packages in its programs, with their source', () => {
  const sections = sectionsOf('server')
  const folder = join(root, 'dist/server')
  const programs = readdirSync(folder).filter(name => name.endsWith('.js'))
  const bundled = programs.flatMap(name =>
    // esbuild writes the path of each file in a comment before its code.
    [
      ...readFileSync(join(folder, name), 'utf8').matchAll(
        /^\/\/ (?:\S*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\/\S+$/gm,
      ),
    ].map(match => match[1]),
  )
  expect(new Set(bundled)).toEqual(new Set(sections.map(nameOf)))
  expect(sections.filter(section => !section.includes('\nSource: https://'))).toEqual([])
})

function sectionsOf(folder: string): string[] {
  const notices = readFileSync(join(root, 'dist', folder, 'third-party-notices.txt'), 'utf8')
  return notices.split(/^## (?=\S+ - \d)/m).slice(1)
}

function nameOf(section: string): string {
  return section.split(' - ')[0] ?? ''
}

function body(section: string): string {
  return section.slice(section.indexOf('\n'))
}
