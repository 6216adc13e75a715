import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openMarker, storeVersion } from './versionMarker.ts'

let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a first visit only stores the version', () => {
  expect(openMarker('1').isNew('1')).toBe(false)
  expect(stored.get('appVersion')).toBe('1')
})

test('a version other than the running one is new each time it is seen', () => {
  const marker = openMarker('1')
  expect(marker.isNew('2')).toBe(true)
  expect(marker.isNew('2')).toBe(true)
})

test('a tab updates even if another tab has already stored the version', () => {
  const marker = openMarker('1')
  openMarker('1')
  storeVersion('2')
  expect(marker.isNew('2')).toBe(true)
})

test('a page that loaded the new version by itself needs no reload', () => {
  storeVersion('1')
  expect(openMarker('2').isNew('2')).toBe(false)
  expect(stored.get('appVersion')).toBe('2')
})

test('a reload that loaded the old build again is not repeated', () => {
  storeVersion('2')
  expect(openMarker('1').isNew('2')).toBe(false)
})

test('a rollback to an older version is treated like a new one', () => {
  storeVersion('1')
  const marker = openMarker('2')
  marker.isNew('2')
  expect(marker.isNew('1')).toBe(true)
})

test('without storage a new version is still detected', () => {
  vi.stubGlobal('localStorage', undefined)
  const marker = openMarker('1')
  expect(marker.isNew('1')).toBe(false)
  expect(marker.isNew('2')).toBe(true)
})
