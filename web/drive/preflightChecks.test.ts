import { expect, test } from 'vitest'
import { checksOf, isReady, type PreflightInput } from './preflightChecks.ts'

const well: PreflightInput = {
  gps: 'good',
  accuracyM: 4,
  awake: 'held',
  sound: 'on',
  mediaButton: 'works',
  voice: 'off',
  online: true,
  roundTripMs: 40,
  storage: 'persistent',
  battery: { percent: 80, charging: false },
  testedMs: 60,
  testLost: false,
  ios: null,
}

function tab(major: number, minor: number) {
  return { installed: false, version: [major, minor] } as const
}

function installed(major: number, minor: number) {
  return { installed: true, version: [major, minor] } as const
}

test('a phone that passes all checks is ready', () => {
  const checks = checksOf(well)
  expect(checks.map(({ light }) => light)).toEqual(Array(8).fill('good'))
  expect(isReady(checks)).toBe(true)
})

test.each<[Partial<PreflightInput>, string, string]>([
  [{ gps: 'inaccurate' }, 'location', 'inaccurate'],
  [{ gps: 'denied' }, 'location', 'denied'],
  [{ gps: 'missing' }, 'location', 'noReceiver'],
  [{ awake: 'refused' }, 'awake', 'goesDark'],
  // Safari keeps the screen awake in a tab; installing the app would lose that before iOS 18.4.
  [{ awake: 'refused', ios: tab(17, 0) }, 'awake', 'goesDark'],
  [{ awake: 'held', ios: installed(16, 4) }, 'awake', 'goesDarkInstalled'],
  [{ awake: 'unsupported', ios: installed(18, 3) }, 'awake', 'goesDarkInstalled'],
  [{ awake: 'unsupported', ios: installed(16, 3) }, 'awake', 'goesDarkOldIos'],
  [{ awake: 'unsupported', ios: tab(16, 3) }, 'awake', 'goesDarkOldIos'],
  [{ awake: 'unsupported', ios: tab(18, 4) }, 'awake', 'alwaysGoesDark'],
  [{ awake: 'unsupported' }, 'awake', 'alwaysGoesDark'],
  [{ sound: 'blocked' }, 'sound', 'soundBlocked'],
  [{ mediaButton: 'refused' }, 'button', 'buttonRefused'],
  [{ voice: 'silent' }, 'voice', 'voiceSilent'],
  [{ online: false }, 'connection', 'noConnection'],
  [{ roundTripMs: 2001 }, 'connection', 'slowConnection'],
  [{ testedMs: null, testLost: true }, 'test', 'testLost'],
  // The first flash came back, a later one did not.
  [{ testLost: true }, 'test', 'testLost'],
  [{ storage: 'none' }, 'storage', 'storesNothing'],
  [{ battery: { percent: 20, charging: false } }, 'battery', 'batteryLow'],
])('%o fails its check and blocks readiness', (part, name, finding) => {
  const checks = checksOf({ ...well, ...part })
  expect(checks.filter(({ light }) => light === 'bad')).toEqual([{ name, light: 'bad', finding }])
  expect(isReady(checks)).toBe(false)
})

test('unreported states and features that are off do not block readiness', () => {
  const quiet = checksOf({
    ...well,
    battery: null,
    sound: 'off',
    mediaButton: 'off',
    testedMs: null,
  })
  expect(quiet.filter(({ light }) => light === 'unknown')).toHaveLength(4)
  expect(isReady(quiet)).toBe(true)
  expect(isReady(checksOf({ ...well, mediaButton: 'ready' }))).toBe(true)
})

test('a Home Screen app stays awake from iOS 18.4, or on an unknown version', () => {
  expect(isReady(checksOf({ ...well, ios: installed(18, 4) }))).toBe(true)
  expect(isReady(checksOf({ ...well, ios: { installed: true, version: null } }))).toBe(true)
})

test('a phone is not ready while location, storage or sound is pending', () => {
  expect(isReady(checksOf({ ...well, gps: null }))).toBe(false)
  expect(isReady(checksOf({ ...well, gps: 'lost' }))).toBe(false)
  expect(isReady(checksOf({ ...well, storage: null }))).toBe(false)
  expect(isReady(checksOf({ ...well, sound: 'asked' }))).toBe(false)
  expect(isReady(checksOf({ ...well, mediaButton: 'asked' }))).toBe(false)
  expect(isReady(checksOf({ ...well, battery: { percent: 5, charging: true } }))).toBe(true)
})
