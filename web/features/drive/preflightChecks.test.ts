import { expect, test } from 'vitest'
import { checksOf, isReady, type Known } from './preflightChecks.ts'

const well: Known = {
  gps: 'good',
  accuracyM: 4,
  awake: 'held',
  sound: 'on',
  mediaButton: 'works',
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

test('a phone on which all is well is ready', () => {
  const checks = checksOf(well)
  expect(checks.map(({ light }) => light)).toEqual(Array(8).fill('good'))
  expect(isReady(checks)).toBe(true)
})

test.each<[Partial<Known>, string, string]>([
  [{ gps: 'inaccurate' }, 'location', 'inaccurate'],
  [{ gps: 'denied' }, 'location', 'denied'],
  [{ gps: 'missing' }, 'location', 'noReceiver'],
  [{ awake: 'refused' }, 'awake', 'sleepy'],
  // In a tab it can be kept awake: to install the app would take that away before 18.4.
  [{ awake: 'refused', ios: tab(17, 0) }, 'awake', 'sleepy'],
  [{ awake: 'held', ios: installed(16, 4) }, 'awake', 'sleepyInstalled'],
  [{ awake: 'unsupported', ios: installed(18, 3) }, 'awake', 'sleepyInstalled'],
  [{ awake: 'unsupported', ios: installed(16, 3) }, 'awake', 'sleepyOldIos'],
  [{ awake: 'unsupported', ios: tab(16, 3) }, 'awake', 'sleepyOldIos'],
  [{ awake: 'unsupported', ios: tab(18, 4) }, 'awake', 'alwaysSleepy'],
  [{ awake: 'unsupported' }, 'awake', 'alwaysSleepy'],
  [{ sound: 'blocked' }, 'sound', 'soundBlocked'],
  [{ mediaButton: 'refused' }, 'button', 'buttonRefused'],
  [{ online: false }, 'line', 'noLine'],
  [{ roundTripMs: 2001 }, 'line', 'slowLine'],
  [{ testedMs: null, testLost: true }, 'test', 'testLost'],
  // It came back once, and then no more.
  [{ testLost: true }, 'test', 'testLost'],
  [{ storage: 'none' }, 'storage', 'keepsNothing'],
  [{ battery: { percent: 20, charging: false } }, 'battery', 'batteryLow'],
])('%o is red, and nobody is ready', (part, name, finding) => {
  const checks = checksOf({ ...well, ...part })
  expect(checks.filter(({ light }) => light === 'bad')).toEqual([{ name, light: 'bad', finding }])
  expect(isReady(checks)).toBe(false)
})

test('what the browser does not tell, or the driver does not want, keeps nobody', () => {
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

test('an app on the Home Screen stays awake from iOS 18.4 on, and where the version is not told', () => {
  expect(isReady(checksOf({ ...well, ios: installed(18, 4) }))).toBe(true)
  expect(isReady(checksOf({ ...well, ios: { installed: true, version: null } }))).toBe(true)
})

test('before the receiver, the storage and the sound have answered nobody is ready', () => {
  expect(isReady(checksOf({ ...well, gps: null }))).toBe(false)
  expect(isReady(checksOf({ ...well, gps: 'lost' }))).toBe(false)
  expect(isReady(checksOf({ ...well, storage: null }))).toBe(false)
  expect(isReady(checksOf({ ...well, sound: 'asked' }))).toBe(false)
  expect(isReady(checksOf({ ...well, mediaButton: 'asked' }))).toBe(false)
  expect(isReady(checksOf({ ...well, battery: { percent: 5, charging: true } }))).toBe(true)
})
