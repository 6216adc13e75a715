import { expect, test } from 'vitest'
import { PageStream } from './pageStream.ts'

const chunk = (bytes: number) => new ArrayBuffer(bytes)
const sizes = (chunks: readonly ArrayBuffer[]) => chunks.map(({ byteLength }) => byteLength)

function viewerOf(page: PageStream): number[] {
  const seen: number[] = []
  page.watch(({ byteLength }) => seen.push(byteLength))
  return seen
}

test('a late viewer receives everything since the view began', () => {
  const page = new PageStream(() => undefined)
  page.allow({ seen: true, recorded: false })
  page.take(chunk(1))
  const seen = viewerOf(page)
  page.take(chunk(2))
  expect(seen).toEqual([1, 2])
  page.allow({ seen: false, recorded: false })
  page.allow({ seen: true, recorded: false })
  expect(viewerOf(page)).toEqual([])
})

test('chunks are dropped while the page may not be seen', () => {
  const page = new PageStream(() => undefined)
  const seen = viewerOf(page)
  page.take(chunk(1))
  page.allow({ seen: true, recorded: false })
  page.allow({ seen: false, recorded: false })
  page.take(chunk(2))
  expect(seen).toEqual([])
})

test('a recording survives a reconnect of the page until it is reset', () => {
  const page = new PageStream(() => undefined)
  page.allow({ seen: true, recorded: false })
  page.take(chunk(1))
  page.allow({ seen: true, recorded: true })
  page.take(chunk(2))
  page.allow({ seen: true, recorded: false })
  page.take(chunk(3))
  page.allow({ seen: false, recorded: false })
  page.allow({ seen: true, recorded: true })
  page.take(chunk(4))
  expect(sizes(page.recorded)).toEqual([2, 4])
  page.forgetRecording()
  expect(page.recorded).toEqual([])
})

test('beyond 128 MiB a recording ends, and a view goes on', () => {
  const page: PageStream = new PageStream(() => page.allow({ seen: true, recorded: false }))
  page.allow({ seen: true, recorded: true })
  const large = chunk(2 * 1024 * 1024)
  const seen = viewerOf(page)
  for (let count = 0; count < 70; count++) page.take(large)
  expect(page.recorded).toHaveLength(65)
  expect(seen).toHaveLength(70)
  expect(viewerOf(page).length).toBeLessThan(10)
})
