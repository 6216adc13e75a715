import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const patchFiles = readdirSync(join(root, 'patches')).filter(name => name.endsWith('.patch'))
const hunks = patchFiles.flatMap(hunksOf)
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

test('there are patches', () => {
  expect(hunks.length).toBeGreaterThan(30)
})

test.each(hunks)('$file, line $line, is patched: $why', ({ file, before, after }) => {
  const text = textOf(file)
  expect(text).toContain(after)
  expect(text).not.toContain(before)
})

test('every hunk has a reason', () => {
  expect(
    hunks.filter(({ why }) => why.length < 20).map(({ file, line }) => `${file}:${line}`),
  ).toEqual([])
})

test('no patched file of the add-on contains the URL of another host', () => {
  const files = [...new Set(hunks.map(({ file }) => file))].filter(file =>
    file.includes('/tracker-assist/'),
  )
  expect(files.length).toBeGreaterThan(3)
  // Line comments may contain URLs.
  const code = files
    .map(textOf)
    .join('\n')
    .replace(/^\s*\/\/.*$/gm, '')
  expect(code).not.toMatch(/https?:\/\/(?!www\.w3\.org)/)
})

// spec: SO-10 SO-11 SO-12 SO-13 SO-17
test('the add-on has the retry counts and delays of the specification', () => {
  const assist = textOf('node_modules/@openreplay/tracker-assist/lib/Assist.js')
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
  const index = textOf('node_modules/@openreplay/tracker-assist/lib/index.js')
  expect(index).toContain("checkRequiredVersion('13.0.0')")
})

describe('applying', () => {
  const project = mkdtempSync(join(tmpdir(), 'pitboard-patches-'))
  const peer = join(project, 'node_modules/peerjs')
  const source = join(peer, 'dist/bundler.mjs')
  const patched = textOf('node_modules/peerjs/dist/bundler.mjs')
  const { before, after } = hunks.find(({ file }) => file.endsWith('peerjs/dist/bundler.mjs'))!

  beforeEach(() => {
    rmSync(project, { recursive: true })
    for (const folder of ['patches', 'scripts', 'node_modules/peerjs/dist']) {
      mkdirSync(join(project, folder), { recursive: true })
    }
    const patch = patchFiles.find(name => name.startsWith('peerjs+'))!
    for (const file of [
      `patches/${patch}`,
      'scripts/packages/applyPatches.mjs',
      'scripts/run.mjs',
      'node_modules/peerjs/package.json',
    ]) {
      cpSync(join(root, file), join(project, file))
    }
    for (const name of ['package.json', 'package-lock.json']) {
      writeFileSync(join(project, name), '{ "lockfileVersion": 3 }')
    }
    symlinkSync(
      join(root, 'node_modules/patch-package'),
      join(project, 'node_modules/patch-package'),
    )
    writeFileSync(
      source,
      patched.replace(after, () => before),
    )
  })
  afterAll(() => rmSync(project, { recursive: true }))

  const apply = () =>
    spawnSync(process.execPath, [join(project, 'scripts/packages/applyPatches.mjs')], {
      encoding: 'utf8',
    })

  test('patches a published package once, and leaves a patched one unchanged', () => {
    expect(apply()).toMatchObject({ status: 0, stdout: '', stderr: '' })
    expect(readFileSync(source, 'utf8')).toBe(patched)
    expect(apply().status).toBe(0)
    expect(readFileSync(source, 'utf8')).toBe(patched)
  })

  test('fails for a package with different source', () => {
    writeFileSync(source, patched.replace(after, 'const adapter = null;\n'))
    const { status, stderr } = apply()
    expect(status).toBe(1)
    expect(stderr).toContain('patches/README.md')
  })

  test('fails for another version of a package', () => {
    const manifest = join(peer, 'package.json')
    const other = { ...(JSON.parse(readFileSync(manifest, 'utf8')) as object), version: '9.9.9' }
    writeFileSync(manifest, JSON.stringify(other))
    expect(apply().status).toBe(1)
  })

  test('is skipped without development dependencies', () => {
    rmSync(join(project, 'node_modules/patch-package'))
    expect(apply().status).toBe(0)
    expect(readFileSync(source, 'utf8')).not.toBe(patched)
  })
})

interface Hunk {
  file: string
  line: number
  why: string
  before: string
  after: string
}

/** Splits a patch file into hunks with the code before and after, and the reason. */
function hunksOf(name: string): Hunk[] {
  const files = readFileSync(join(root, 'patches', name), 'utf8')
    .split(/^diff --git /m)
    .slice(1)
  return files.flatMap(text => {
    const file = /^\+\+\+ b\/(.*)$/m.exec(text)?.[1] ?? ''
    return text
      .split(/^@@ -/m)
      .slice(1)
      .map(hunk => {
        const [head = '', ...lines] = hunk.trimEnd().split('\n')
        const side = (sign: string) =>
          lines
            .filter(line => line[0] === ' ' || line[0] === sign)
            .map(line => `${line.slice(1)}\n`)
            .join('')
        const [, line, why = ''] = /^(\d+)[^@]*@@ ?(.*)$/.exec(head) ?? []
        return { file, line: Number(line), why, before: side('-'), after: side('+') }
      })
  })
}
