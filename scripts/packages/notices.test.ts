import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../build.mjs'

const root = join(import.meta.dirname, '../..')

beforeAll(() => ensureBuilt(), 120_000)

test('the build contains the licence text of every bundled package', () => {
  const notices = readFileSync(join(root, 'dist/web/third-party-notices.txt'), 'utf8')
  const sections = notices.split(/^## /m).slice(1)
  const names = sections.map(section => section.split(' - ')[0])

  // One package of each kind: main bundle, font, lazy chunk, service worker.
  for (const name of ['react', '@fontsource-variable/archivo', '@rrweb/record', 'workbox-core'])
    expect(names).toContain(name)
  const withoutText = sections.filter(
    section => !/permission|permitted|licen[cs]e/i.test(body(section)),
  )
  expect(withoutText.map(section => section.split('\n')[0])).toEqual([])
  expect(sections.filter(section => !/copyright/i.test(body(section)))).toEqual([])
})

function body(section: string): string {
  return section.slice(section.indexOf('\n'))
}
