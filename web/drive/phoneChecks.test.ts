import { expect, test } from 'vitest'
import { isReady, type PhoneInput, phoneChecks, phoneFaultsOf, thingsToDo } from './phoneChecks.ts'

const well: PhoneInput = {
  page: 'secure',
  network: 'reached',
  gps: 'good',
  accuracyM: 4,
  approximate: false,
  permission: 'granted',
  awake: 'held',
  savesPower: false,
  clockAheadMs: 100,
  storage: 'persistent',
  online: true,
  roundTripMs: 40,
  test: { tookMs: 60, isLost: false },
  sound: 'on',
  mediaButton: 'works',
  voice: 'works',
  installed: true,
  notifications: 'granted',
  battery: { percent: 80, charging: true },
  ios: null,
}

function tab(major: number, minor: number) {
  return { installed: false, version: [major, minor] } as const
}

function installed(major: number, minor: number) {
  return { installed: true, version: [major, minor] } as const
}

test('a phone that passes all checks is ready', () => {
  const checks = phoneChecks(well)
  expect(checks.map(({ light }) => light)).toEqual(Array(15).fill('good'))
  expect(isReady(checks)).toBe(true)
})

test.each<[Partial<PhoneInput>, string, string]>([
  [{ page: 'insecure' }, 'page', 'insecure'],
  [{ page: 'untrusted' }, 'page', 'untrusted'],
  [{ network: 'denied' }, 'network', 'networkBlocked'],
  [{ network: 'unreached' }, 'network', 'networkUnreached'],
  [{ gps: 'inaccurate' }, 'location', 'inaccurate'],
  [{ gps: 'inaccurate', approximate: true }, 'location', 'approximate'],
  [{ gps: 'inaccurate', approximate: true, ios: tab(18, 4) }, 'location', 'approximateIos'],
  [{ gps: 'denied', permission: 'prompt' }, 'location', 'askLocation'],
  [{ gps: 'denied', permission: 'denied' }, 'location', 'deniedSite'],
  [{ gps: 'denied', permission: 'unknown' }, 'location', 'deniedSite'],
  [{ gps: 'denied', permission: 'denied', ios: tab(18, 4) }, 'location', 'deniedSiteIos'],
  [{ gps: 'denied', permission: 'denied', ios: installed(18, 4) }, 'location', 'deniedApp'],
  // The site may, so the phone itself does not allow it.
  [{ gps: 'denied', permission: 'granted' }, 'location', 'locationOff'],
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
  [{ savesPower: true }, 'power', 'savesPower'],
  [{ clockAheadMs: 2001 }, 'clock', 'clockWrong'],
  [{ clockAheadMs: -2001 }, 'clock', 'clockWrong'],
  [{ storage: 'full' }, 'storage', 'storageFull'],
  [{ storage: 'none' }, 'storage', 'storesNothing'],
  [{ online: false }, 'connection', 'noConnection'],
  [{ roundTripMs: 2001 }, 'connection', 'slowConnection'],
  [{ test: { tookMs: null, isLost: true } }, 'test', 'testLost'],
  // The first flash came back, a later one did not.
  [{ test: { tookMs: 60, isLost: true } }, 'test', 'testLost'],
  [{ sound: 'blocked' }, 'sound', 'soundBlocked'],
  [{ mediaButton: 'refused' }, 'button', 'buttonRefused'],
  [{ voice: 'silent' }, 'voice', 'voiceSilent'],
  [{ battery: { percent: 40, charging: false } }, 'battery', 'batteryLow'],
])('%o fails its check and blocks readiness', (part, name, finding) => {
  const checks = phoneChecks({ ...well, ...part })
  expect(thingsToDo(checks)).toEqual([{ name, light: 'bad', finding }])
  expect(isReady(checks)).toBe(false)
})

test('a check that the browser cannot measure is unknown, and does not block', () => {
  const blind = phoneChecks({
    ...well,
    page: 'unknown',
    network: 'public',
    awake: 'asked',
    savesPower: null,
    clockAheadMs: null,
    test: { tookMs: null, isLost: false },
    sound: 'asked',
    mediaButton: 'ready',
    voice: 'unsupported',
    notifications: 'unsupported',
    battery: null,
  })
  expect(blind.filter(({ light }) => light === 'good').map(({ name }) => name)).toEqual([
    'location',
    'storage',
    'connection',
    'installed',
  ])
  expect(blind.filter(({ light }) => light === 'unknown')).toHaveLength(9)
  expect(isReady(blind)).toBe(true)
})

test('notes do not block', () => {
  const checks = phoneChecks({
    ...well,
    storage: 'ordinary',
    sound: 'off',
    installed: false,
    notifications: 'denied',
    battery: { percent: 41, charging: false },
  })
  expect(checks.filter(({ light }) => light === 'note')).toHaveLength(5)
  expect(isReady(checks)).toBe(true)
})

test('the things to do are in the order in which to repair them', () => {
  const checks = phoneChecks({
    ...well,
    battery: { percent: 5, charging: false },
    storage: 'full',
    clockAheadMs: 240_000,
    gps: 'denied',
    network: 'denied',
    page: 'untrusted',
  })
  expect(thingsToDo(checks).map(({ name }) => name)).toEqual([
    'page',
    'network',
    'location',
    'clock',
    'storage',
    'battery',
  ])
})

test('failed checks are reported to the team, most important first', () => {
  const checks = phoneChecks({
    ...well,
    gps: 'inaccurate',
    approximate: true,
    awake: 'refused',
    storage: 'full',
    online: false,
    battery: null,
  })
  expect(phoneFaultsOf(checks)).toEqual(['approximate', 'awake', 'storage'])
  expect(phoneFaultsOf(phoneChecks(well))).toEqual([])
})

test('a Home Screen app stays awake from iOS 18.4, or on an unknown version', () => {
  expect(isReady(phoneChecks({ ...well, ios: installed(18, 4) }))).toBe(true)
  expect(isReady(phoneChecks({ ...well, ios: { installed: true, version: null } }))).toBe(true)
})

test('a phone is not ready while a check is pending', () => {
  for (const part of [
    { page: null },
    { network: null },
    { gps: null },
    { gps: 'lost' },
    { storage: null },
    { mediaButton: 'asked' },
    { voice: 'asked' },
  ] as const)
    expect(isReady(phoneChecks({ ...well, ...part }))).toBe(false)
})
