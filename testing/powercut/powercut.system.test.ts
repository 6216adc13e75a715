import { describe, expect, test } from 'vitest'
import { patience } from '#testing/patience.ts'
import { Disk } from './disk.ts'
import { cutPower } from './powercut.ts'

describe('the simulated disk', () => {
  const nothing = { versions: () => 0, happens: () => false }
  const bytes = new Uint8Array([1, 2, 3])

  test('keeps a synced file only if its folder was synced', () => {
    const disk = new Disk()
    disk.apply({ do: 'create', path: 'a', file: 1 })
    disk.apply({ do: 'write', file: 1, at: 0, bytes })
    disk.apply({ do: 'sync', file: 1 })
    expect(disk.afterPowerCut(nothing)).toEqual({ kind: 'folder', entries: new Map() })
    disk.apply({ do: 'syncFolder', path: '' })
    disk.apply({ do: 'write', file: 1, at: 1, bytes })
    disk.apply({ do: 'rename', from: 'a', to: 'b' })
    expect(disk.afterPowerCut(nothing)).toEqual({
      kind: 'folder',
      entries: new Map([['a', { kind: 'file', bytes: Buffer.from(bytes) }]]),
    })
  })

  test('keeps all changes of a synced file that was truncated and extended', () => {
    const disk = new Disk()
    disk.apply({ do: 'create', path: 'a', file: 1 })
    disk.apply({ do: 'syncFolder', path: '' })
    disk.apply({ do: 'write', file: 1, at: 0, bytes })
    disk.apply({ do: 'sync', file: 1 })
    disk.apply({ do: 'resize', file: 1, size: 1 })
    disk.apply({ do: 'resize', file: 1, size: 3 })
    disk.apply({ do: 'write', file: 1, at: 4, bytes })
    disk.apply({ do: 'sync', file: 1 })
    const found = disk.afterPowerCut(nothing)
    const file = found.kind === 'folder' ? found.entries.get('a') : undefined
    expect(file).toEqual({ kind: 'file', bytes: Buffer.from([1, 0, 0, 0, 1, 2, 3]) })
  })

  test('keeps a random earlier version of each unsynced page and of the size', () => {
    const disk = new Disk()
    disk.apply({ do: 'create', path: 'a', file: 1 })
    disk.apply({ do: 'syncFolder', path: '' })
    disk.apply({ do: 'write', file: 1, at: 4095, bytes })
    disk.apply({ do: 'write', file: 1, at: 0, bytes })
    const answers = [2, 1, 1]
    const found = disk.afterPowerCut({ versions: () => answers.shift() ?? 0, happens: () => true })
    const file = found.kind === 'folder' ? found.entries.get('a') : undefined
    const content = file?.kind === 'file' ? file.bytes : Buffer.alloc(0)
    expect([content.length, content[0], content[4095], content[4096], content[4097]]).toEqual([
      4098, 0, 1, 2, 3,
    ])
  })
})

test('twelve power cuts lose no acknowledged data', { timeout: 300_000 * patience }, async () => {
  const summary = await cutPower({ images: 12, commits: 30, seed: 7 })
  expect(summary.failures).toEqual([])
  expect(summary.checked).toBe(12)
  expect(summary.empty).toBeLessThan(6)
})
