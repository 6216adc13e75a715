import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applyPatches } from './mendAssist.ts'
import { vendorPatches } from './vendorPatches.ts'

const packages = join(import.meta.dirname, '../../node_modules')
const textOf = (file: string) => readFileSync(join(packages, file), 'utf8')
const all = Object.entries(vendorPatches).flatMap(([file, list]) =>
  list.map(({ from, to, why }) => ({ file, from, to, why })),
)

test.each(all)('$file: $why', ({ file, from, to }) => {
  const patched = applyPatches(file, textOf(file))
  expect(patched).toContain(to)
  expect(patched.replaceAll(to, '')).not.toContain(from)
})

test('no patched file of the add-on contains the URL of another host', () => {
  const files = Object.keys(vendorPatches).filter(file =>
    file.startsWith('@openreplay/tracker-assist/'),
  )
  const code = files.map(file => applyPatches(file, textOf(file)))
  // Line comments may contain URLs.
  expect(code.join('\n').replace(/^\s*\/\/.*$/gm, '')).not.toMatch(/https?:\/\/(?!www\.w3\.org)/)
})

test.each(all)('a changed source of $file fails the build: $why', ({ file, from }) => {
  const other = textOf(file).replace(from, from.replace(/\w/, '_'))
  expect(() => applyPatches(file, other)).toThrow(`${file} has changed`)
})

const callWindow = '@openreplay/tracker-assist/lib/CallWindow.js'

test('a passage that occurs twice fails the build', () => {
  expect(() => applyPatches(callWindow, textOf(callWindow).repeat(2))).toThrow('has changed')
})

test('a file without patches is returned unchanged', () => {
  expect(applyPatches('dnd.js', 'export {}')).toBe('export {}')
})

// spec: SO-10 SO-11 SO-12 SO-13 SO-17
test('the add-on has the retry counts and delays of the specification', () => {
  const assist = textOf('@openreplay/tracker-assist/lib/Assist.js')
  for (const number of [
    'reconnectionAttempts: 30,',
    'reconnectionDelay: 1000,',
    'reconnectionDelayMax: 25000,',
    'randomizationFactor: 0.5,',
    'peerReconnectAttempts < 30',
    'Math.min(peerReconnectAttempts, 8) * 2 * 1000',
    'compressionMinBatchSize: 5000,',
    'batchSize > 10000',
    'new Canvas(node, id, 30,',
  ]) {
    expect(assist).toContain(number)
  }
  const index = textOf('@openreplay/tracker-assist/lib/index.js')
  expect(index).toContain("checkRequiredVersion('13.0.0')")
})
