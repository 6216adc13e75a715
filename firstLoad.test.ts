import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from 'vite'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from './scripts/build.mjs'

/** Limit for all JavaScript that a screen needs before it is shown, compressed by gzip. */
const limitBytes = 120_000

const folder = join(import.meta.dirname, 'dist/web')

beforeAll(() => ensureBuilt(), 120_000)

// The screens that are opened on a phone at the track.
test.each(['sign-in', 'drive'])('%s loads at most 120 kB of JavaScript', screen => {
  const sizes = scriptsOf(screen).map(
    file => [file, statSync(join(folder, `${file}.gz`)).size] as const,
  )
  const totalBytes = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
  // A failure lists the sizes of all files.
  expect(totalBytes > limitBytes ? { totalBytes, sizes } : null).toBeNull()
})

/** Returns the files of index.html and a screen with their static imports, without dynamic ones. */
function scriptsOf(screen: string): string[] {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8'))
  const own = Object.keys(manifest).filter(key => manifest[key]?.name === screen)
  expect(own).toHaveLength(1)
  const all = new Set(['index.html', ...own])
  for (const each of all) for (const imported of manifest[each]?.imports ?? []) all.add(imported)
  return [...all].flatMap(key => manifest[key]?.file ?? [])
}
