import type { GpsState } from '#contract/phone.ts'
import { type Ios, isOlder } from '#web/device/ios.ts'
import type { MediaButtonState } from '#web/device/mediaButton.ts'
import type { VoiceState } from '#web/device/voice.ts'
import type { SoundState } from './useSound.ts'

/** The phone's state before the start, input of the checks. */
export interface PreflightInput {
  readonly gps: GpsState | null
  readonly accuracyM: number | null
  readonly awake: 'held' | 'refused' | 'unsupported'
  readonly sound: SoundState
  readonly mediaButton: MediaButtonState
  readonly voice: VoiceState
  readonly online: boolean
  readonly roundTripMs: number | null
  readonly storage: 'persistent' | 'ordinary' | 'none' | null
  readonly battery: { readonly percent: number; readonly charging: boolean } | null
  /** Round trip of the test flash, in milliseconds; null until it came back. */
  readonly testedMs: number | null
  /** A test flash was sent, and did not come back in time. */
  readonly testLost: boolean
  /** Set on an iPhone or iPad. */
  readonly ios: Ios | null
}

/** Red (`bad`): must be fixed before driving. Grey (`unknown`): worth knowing, but not blocking. */
export type Light = 'good' | 'bad' | 'waiting' | 'unknown'

export interface Check {
  readonly name:
    | 'location'
    | 'awake'
    | 'sound'
    | 'button'
    | 'voice'
    | 'connection'
    | 'storage'
    | 'battery'
    | 'test'
  readonly light: Light
  /** Key of the sentence in the catalogue. */
  readonly finding: Finding
}

export type Finding =
  | 'located'
  | 'locating'
  | 'inaccurate'
  | 'denied'
  | 'noReceiver'
  | 'awake'
  | 'goesDark'
  | 'goesDarkInstalled'
  | 'goesDarkOldIos'
  | 'alwaysGoesDark'
  | 'soundPending'
  | 'loud'
  | 'muted'
  | 'soundBlocked'
  | 'noSound'
  | 'buttonOff'
  | 'buttonPending'
  | 'buttonReady'
  | 'buttonWorks'
  | 'buttonRefused'
  | 'noButtons'
  | 'voicePending'
  | 'voiceWorks'
  | 'voiceSilent'
  | 'connected'
  | 'slowConnection'
  | 'noConnection'
  | 'storesSafely'
  | 'stores'
  | 'storesNothing'
  | 'storagePending'
  | 'charged'
  | 'batteryLow'
  | 'batteryUnknown'
  | 'tested'
  | 'testLost'
  | 'untested'

/** At or below this charge the battery may not last a stint, in percent. */
const lowBatteryPercent = 20

/**
 * Messages must reach the driver's screen within a few seconds: a slower connection delivers them too
 * late.
 */
const maxRoundTripMs = 2000

/** The checks, one for each condition a stint depends on. */
export function checksOf(input: PreflightInput): Check[] {
  return [
    { name: 'location', ...locations[input.gps ?? 'lost'] },
    awake(input),
    { name: 'sound', ...sounds[input.sound] },
    { name: 'button', ...buttons[input.mediaButton] },
    ...voice(input),
    connection(input),
    { name: 'storage', ...storages[input.storage ?? 'asked'] },
    battery(input),
    test(input),
  ]
}

/** Whether no check has failed and none is pending. */
export function isReady(checks: readonly Check[]): boolean {
  return checks.every(({ light }) => light === 'good' || light === 'unknown')
}

type Outcome = Omit<Check, 'name'>

const locations: Record<GpsState, Outcome> = {
  good: { light: 'good', finding: 'located' },
  inaccurate: { light: 'bad', finding: 'inaccurate' },
  denied: { light: 'bad', finding: 'denied' },
  missing: { light: 'bad', finding: 'noReceiver' },
  lost: { light: 'waiting', finding: 'locating' },
}

const sounds: Record<SoundState, Outcome> = {
  asked: { light: 'waiting', finding: 'soundPending' },
  on: { light: 'good', finding: 'loud' },
  off: { light: 'unknown', finding: 'muted' },
  blocked: { light: 'bad', finding: 'soundBlocked' },
  unsupported: { light: 'unknown', finding: 'noSound' },
}

const buttons: Record<MediaButtonState, Outcome> = {
  off: { light: 'unknown', finding: 'buttonOff' },
  asked: { light: 'waiting', finding: 'buttonPending' },
  // Only a press shows whether the phone has such a button at all.
  ready: { light: 'unknown', finding: 'buttonReady' },
  works: { light: 'good', finding: 'buttonWorks' },
  refused: { light: 'bad', finding: 'buttonRefused' },
  unsupported: { light: 'unknown', finding: 'noButtons' },
}

const storages: Record<NonNullable<PreflightInput['storage']> | 'asked', Outcome> = {
  persistent: { light: 'good', finding: 'storesSafely' },
  ordinary: { light: 'good', finding: 'stores' },
  none: { light: 'bad', finding: 'storesNothing' },
  asked: { light: 'waiting', finding: 'storagePending' },
}

/**
 * Safari keeps a screen awake from iOS 16.4 on. For an app on the Home Screen the lock is granted, too,
 * but has no effect before iOS 18.4. Source: WebKit bug 254545.
 */
function awake({ awake, ios }: PreflightInput): Check {
  const name = 'awake'
  const old = ios !== null && isOlder(ios, 16, 4)
  if (ios?.installed && !old && isOlder(ios, 18, 4)) {
    return { name, light: 'bad', finding: 'goesDarkInstalled' }
  }
  if (awake === 'held') return { name, light: 'good', finding: 'awake' }
  if (awake === 'refused') return { name, light: 'bad', finding: 'goesDark' }
  return { name, light: 'bad', finding: old ? 'goesDarkOldIos' : 'alwaysGoesDark' }
}

/** No check while the voice is off. A driver who turned it on sees here whether it fails. */
function voice({ voice }: PreflightInput): Check[] {
  const name = 'voice'
  if (voice === 'asked') return [{ name, light: 'waiting', finding: 'voicePending' }]
  if (voice === 'works') return [{ name, light: 'good', finding: 'voiceWorks' }]
  return voice === 'silent' ? [{ name, light: 'bad', finding: 'voiceSilent' }] : []
}

function connection({ online, roundTripMs }: PreflightInput): Check {
  const name = 'connection'
  if (!online) return { name, light: 'bad', finding: 'noConnection' }
  return roundTripMs !== null && roundTripMs > maxRoundTripMs
    ? { name, light: 'bad', finding: 'slowConnection' }
    : { name, light: 'good', finding: 'connected' }
}

function test({ testedMs, testLost }: PreflightInput): Check {
  const name = 'test'
  if (testLost) return { name, light: 'bad', finding: 'testLost' }
  return testedMs === null
    ? { name, light: 'unknown', finding: 'untested' }
    : { name, light: 'good', finding: 'tested' }
}

function battery({ battery }: PreflightInput): Check {
  const name = 'battery'
  if (!battery) return { name, light: 'unknown', finding: 'batteryUnknown' }
  return battery.charging || battery.percent > lowBatteryPercent
    ? { name, light: 'good', finding: 'charged' }
    : { name, light: 'bad', finding: 'batteryLow' }
}
