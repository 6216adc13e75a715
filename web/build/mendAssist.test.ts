import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mend } from './mendAssist.ts'
import { mends } from './mends.ts'

const packages = join(import.meta.dirname, '../../node_modules')
const textOf = (file: string) => readFileSync(join(packages, file), 'utf8')
const all = Object.entries(mends).flatMap(([file, list]) =>
  list.map(({ from, to, why }) => ({ file, from, to, why })),
)

test.each(all)('$file: $why', ({ file, from, to }) => {
  const mended = mend(file, textOf(file))
  expect(mended).toContain(to)
  expect(mended.replaceAll(to, '')).not.toContain(from)
})

test('nothing that is mended of the add-on names another host', () => {
  const files = Object.keys(mends).filter(file => file.startsWith('@openreplay/tracker-assist/'))
  const code = files.map(file => mend(file, textOf(file)))
  // What stands behind // on a line is a remark.
  expect(code.join('\n').replace(/^\s*\/\/.*$/gm, '')).not.toMatch(/https?:\/\/(?!www\.w3\.org)/)
})

test.each(all)('another text in $file fails the build: $why', ({ file, from }) => {
  const other = textOf(file).replace(from, from.replace(/\w/, '_'))
  expect(() => mend(file, other)).toThrow(`${file} is another one`)
})

const callWindow = '@openreplay/tracker-assist/lib/CallWindow.js'

test('a text that is there twice fails the build', () => {
  expect(() => mend(callWindow, textOf(callWindow).repeat(2))).toThrow('is another one')
})

test('a file that we do not mend stays as it is', () => {
  expect(mend('dnd.js', 'export {}')).toBe('export {}')
})

// spec: SO-10 SO-11 SO-12 SO-13 SO-17
test('the add-on has the numbers of the specification', () => {
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
