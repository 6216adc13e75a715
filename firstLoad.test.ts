import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from './scripts/build.mjs'

/** Limit for all JavaScript that a screen needs before it is shown, compressed by gzip. */
const limitBytes = 120_000

const assets = join(import.meta.dirname, 'dist/web/assets')

/** Screens opened on a phone at the track, with the files they load. */
const screens = {
  'sign-in': ['index', 'forms'],
  drive: ['index', 'team', 'DriveScreen'],
}

beforeAll(() => ensureBuilt(), 120_000)

test.each(Object.entries(screens))('%s loads at most 120 kB of JavaScript', (_screen, names) => {
  const files = needed(names.map(fileOf))
  expect(files.some(file => file.startsWith('vendor-'))).toBe(true)
  const sizes = files.map(file => [file, statSync(join(assets, `${file}.gz`)).size] as const)
  const totalBytes = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
  // A failure lists the sizes of all files.
  expect(totalBytes > limitBytes ? { totalBytes, sizes } : null).toBeNull()
})

function fileOf(name: string): string {
  const found = readdirSync(assets).filter(
    file => file.startsWith(`${name}-`) && file.endsWith('.js'),
  )
  if (found.length !== 1 || !found[0])
    throw new Error(`Expected one file for ${name}, found ${found.length}`)
  return found[0]
}

/** Returns these files and their static imports, without dynamic ones. */
function needed(files: string[]): string[] {
  const all = new Set(files)
  for (const file of all) {
    const code = readFileSync(join(assets, file), 'utf8')
    for (const [, imported] of code.matchAll(/\bimport\s*(?:[^"'`();]*\bfrom\s*)?"\.\/([^"]+)"/g)) {
      if (imported !== undefined) all.add(imported)
    }
  }
  return [...all]
}
