import type { GpsState } from '#contract/phone.ts'
import { type Ios, isOlder } from '#web/device/ios.ts'
import type { MediaButtonState } from '#web/device/mediaButton.ts'
import type { SoundState } from './useSound.ts'

/** What is known of the phone before the start. */
export interface Known {
  readonly gps: GpsState | null
  readonly accuracyM: number | null
  readonly awake: 'held' | 'refused' | 'unsupported'
  readonly sound: SoundState
  readonly mediaButton: MediaButtonState
  readonly online: boolean
  readonly roundTripMs: number | null
  readonly storage: 'persistent' | 'ordinary' | 'none' | null
  readonly battery: { readonly percent: number; readonly charging: boolean } | null
  /** How long the test flash took to the server and back; none before it came. */
  readonly testedMs: number | null
  /** One was asked for, and nothing came back. */
  readonly testLost: boolean
  /** The iPhone or iPad that it is, if so. */
  readonly ios: Ios | null
}

/** Red: it keeps the phone from its work. Grey: worth knowing, and no reason to stay. */
export type Light = 'good' | 'bad' | 'waiting' | 'unknown'

export interface Check {
  readonly name: 'location' | 'awake' | 'sound' | 'button' | 'line' | 'storage' | 'battery' | 'test'
  readonly light: Light
  /** Which sentence says how it is: a key of the catalogue. */
  readonly finding: Finding
}

export type Finding =
  | 'located'
  | 'locating'
  | 'inaccurate'
  | 'denied'
  | 'noReceiver'
  | 'awake'
  | 'sleepy'
  | 'sleepyInstalled'
  | 'sleepyOldIos'
  | 'alwaysSleepy'
  | 'soundAsked'
  | 'loud'
  | 'muted'
  | 'soundBlocked'
  | 'noSound'
  | 'buttonOff'
  | 'buttonAsked'
  | 'buttonReady'
  | 'buttonWorks'
  | 'buttonRefused'
  | 'noButtons'
  | 'connected'
  | 'slowLine'
  | 'noLine'
  | 'keepsSafely'
  | 'keeps'
  | 'keepsNothing'
  | 'looking'
  | 'charged'
  | 'batteryLow'
  | 'batteryUnknown'
  | 'tested'
  | 'testLost'
  | 'untested'

/** From here down it does not last a stint, in percent. */
const lowBatteryPercent = 20

/** A message must be on the driver's screen within a few seconds: a line that takes so long brings it too late. */
const slowestRoundTripMs = 2000

/** One line for each thing that a stint depends on. */
export function checksOf(known: Known): Check[] {
  return [
    { name: 'location', ...locations[known.gps ?? 'lost'] },
    awake(known),
    { name: 'sound', ...sounds[known.sound] },
    { name: 'button', ...buttons[known.mediaButton] },
    line(known),
    { name: 'storage', ...storages[known.storage ?? 'asked'] },
    battery(known),
    test(known),
  ]
}

/** Nothing is red, and nothing is still being looked at. */
export function isReady(checks: readonly Check[]): boolean {
  return checks.every(({ light }) => light === 'good' || light === 'unknown')
}

type Judged = Omit<Check, 'name'>

const locations: Record<GpsState, Judged> = {
  good: { light: 'good', finding: 'located' },
  inaccurate: { light: 'bad', finding: 'inaccurate' },
  denied: { light: 'bad', finding: 'denied' },
  missing: { light: 'bad', finding: 'noReceiver' },
  lost: { light: 'waiting', finding: 'locating' },
}

const sounds: Record<SoundState, Judged> = {
  asked: { light: 'waiting', finding: 'soundAsked' },
  on: { light: 'good', finding: 'loud' },
  off: { light: 'unknown', finding: 'muted' },
  blocked: { light: 'bad', finding: 'soundBlocked' },
  unsupported: { light: 'unknown', finding: 'noSound' },
}

const buttons: Record<MediaButtonState, Judged> = {
  off: { light: 'unknown', finding: 'buttonOff' },
  asked: { light: 'waiting', finding: 'buttonAsked' },
  // Only a press shows whether there is a button at all.
  ready: { light: 'unknown', finding: 'buttonReady' },
  works: { light: 'good', finding: 'buttonWorks' },
  refused: { light: 'bad', finding: 'buttonRefused' },
  unsupported: { light: 'unknown', finding: 'noButtons' },
}

const storages: Record<NonNullable<Known['storage']> | 'asked', Judged> = {
  persistent: { light: 'good', finding: 'keepsSafely' },
  ordinary: { light: 'good', finding: 'keeps' },
  none: { light: 'bad', finding: 'keepsNothing' },
  asked: { light: 'waiting', finding: 'looking' },
}

/**
 * Safari keeps a screen awake from 16.4 on. An app on the Home Screen is told so too, and it is not true
 * before 18.4. Source: WebKit bug 254545.
 */
function awake({ awake, ios }: Known): Check {
  const name = 'awake'
  const old = ios !== null && isOlder(ios, 16, 4)
  if (ios?.installed && !old && isOlder(ios, 18, 4)) {
    return { name, light: 'bad', finding: 'sleepyInstalled' }
  }
  if (awake === 'held') return { name, light: 'good', finding: 'awake' }
  if (awake === 'refused') return { name, light: 'bad', finding: 'sleepy' }
  return { name, light: 'bad', finding: old ? 'sleepyOldIos' : 'alwaysSleepy' }
}

function line({ online, roundTripMs }: Known): Check {
  const name = 'line'
  if (!online) return { name, light: 'bad', finding: 'noLine' }
  return roundTripMs !== null && roundTripMs > slowestRoundTripMs
    ? { name, light: 'bad', finding: 'slowLine' }
    : { name, light: 'good', finding: 'connected' }
}

function test({ testedMs, testLost }: Known): Check {
  const name = 'test'
  if (testLost) return { name, light: 'bad', finding: 'testLost' }
  return testedMs === null
    ? { name, light: 'unknown', finding: 'untested' }
    : { name, light: 'good', finding: 'tested' }
}

function battery({ battery }: Known): Check {
  const name = 'battery'
  if (!battery) return { name, light: 'unknown', finding: 'batteryUnknown' }
  return battery.charging || battery.percent > lowBatteryPercent
    ? { name, light: 'good', finding: 'charged' }
    : { name, light: 'bad', finding: 'batteryLow' }
}
