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
  expect(openMarker('1').isNews('1')).toBe(false)
  expect(stored.get('appVersion')).toBe('1')
})

test('another version than the running one is news, each time it is seen', () => {
  const marker = openMarker('1')
  expect(marker.isNews('2')).toBe(true)
  expect(marker.isNews('2')).toBe(true)
})

test('a tab goes over to a version also when another tab has already stored it', () => {
  const marker = openMarker('1')
  openMarker('1')
  storeVersion('2')
  expect(marker.isNews('2')).toBe(true)
})

test('a page that came as the new version by itself needs no reload', () => {
  storeVersion('1')
  expect(openMarker('2').isNews('2')).toBe(false)
  expect(stored.get('appVersion')).toBe('2')
})

test('a reload that brought the old build again is not repeated', () => {
  storeVersion('2')
  expect(openMarker('1').isNews('2')).toBe(false)
})

test('a version that was taken back is gone over to like a new one', () => {
  storeVersion('1')
  const marker = openMarker('2')
  marker.isNews('2')
  expect(marker.isNews('1')).toBe(true)
})

test('without storage a new version is news all the same', () => {
  vi.stubGlobal('localStorage', undefined)
  const marker = openMarker('1')
  expect(marker.isNews('1')).toBe(false)
  expect(marker.isNews('2')).toBe(true)
})
