import { expect, test } from 'vitest'
import { checksOf, isReady, type Known } from './preflightChecks.ts'

const well: Known = {
  gps: 'good',
  accuracyM: 4,
  awake: 'held',
  sound: 'on',
  online: true,
  roundTripMs: 40,
  storage: 'persistent',
  battery: { percent: 80, charging: false },
  testedMs: 60,
  inIosTab: false,
}

test('a phone on which all is well is ready', () => {
  const checks = checksOf(well)
  expect(checks.map(({ light }) => light)).toEqual(Array(7).fill('good'))
  expect(isReady(checks)).toBe(true)
})

test.each<[Partial<Known>, string, string]>([
  [{ gps: 'inaccurate' }, 'location', 'inaccurate'],
  [{ gps: 'denied' }, 'location', 'denied'],
  [{ gps: 'missing' }, 'location', 'noReceiver'],
  [{ awake: 'refused' }, 'awake', 'sleepy'],
  [{ awake: 'refused', inIosTab: true }, 'awake', 'sleepyIosTab'],
  [{ awake: 'unsupported' }, 'awake', 'alwaysSleepy'],
  [{ sound: 'blocked' }, 'sound', 'soundBlocked'],
  [{ online: false }, 'line', 'noLine'],
  [{ storage: 'none' }, 'storage', 'keepsNothing'],
  [{ battery: { percent: 20, charging: false } }, 'battery', 'batteryLow'],
])('%o is red, and nobody is ready', (part, name, finding) => {
  const checks = checksOf({ ...well, ...part })
  expect(checks.filter(({ light }) => light === 'bad')).toEqual([{ name, light: 'bad', finding }])
  expect(isReady(checks)).toBe(false)
})

test('what the browser does not tell, or the driver does not want, keeps nobody', () => {
  const quiet = checksOf({ ...well, battery: null, sound: 'off', testedMs: null })
  expect(quiet.filter(({ light }) => light === 'unknown')).toHaveLength(3)
  expect(isReady(quiet)).toBe(true)
})

test('before the receiver and the storage have answered nobody is ready', () => {
  expect(isReady(checksOf({ ...well, gps: null }))).toBe(false)
  expect(isReady(checksOf({ ...well, gps: 'lost' }))).toBe(false)
  expect(isReady(checksOf({ ...well, storage: null }))).toBe(false)
  expect(isReady(checksOf({ ...well, battery: { percent: 5, charging: true } }))).toBe(true)
})
