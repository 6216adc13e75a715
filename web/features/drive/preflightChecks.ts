import type { GpsState } from '#contract/phone.ts'

/** What is known of the phone before the start. */
export interface Known {
  readonly gps: GpsState | null
  readonly accuracyM: number | null
  readonly awake: 'held' | 'refused' | 'unsupported'
  readonly sound: 'on' | 'off' | 'blocked' | 'unsupported'
  readonly online: boolean
  readonly roundTripMs: number | null
  readonly storage: 'persistent' | 'ordinary' | 'none' | null
  readonly battery: { readonly percent: number; readonly charging: boolean } | null
  /** How long the test flash took to the server and back; none before it came. */
  readonly testedMs: number | null
  /** An iPhone or iPad in a tab of its browser, where an installed app can do more. */
  readonly inIosTab: boolean
}

/** Red: it keeps the phone from its work. Grey: worth knowing, and no reason to stay. */
export type Light = 'good' | 'bad' | 'waiting' | 'unknown'

export interface Check {
  readonly name: 'location' | 'awake' | 'sound' | 'line' | 'storage' | 'battery' | 'test'
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
  | 'sleepyIosTab'
  | 'alwaysSleepy'
  | 'loud'
  | 'muted'
  | 'soundBlocked'
  | 'noSound'
  | 'connected'
  | 'noLine'
  | 'keepsSafely'
  | 'keeps'
  | 'keepsNothing'
  | 'looking'
  | 'charged'
  | 'batteryLow'
  | 'batteryUnknown'
  | 'tested'
  | 'untested'

/** From here down it does not last a stint, in percent. */
const lowBatteryPercent = 20

/** One line for each thing that a stint depends on. */
export function checksOf(known: Known): Check[] {
  return [
    { name: 'location', ...locations[known.gps ?? 'lost'] },
    awake(known),
    { name: 'sound', ...sounds[known.sound] },
    line(known),
    { name: 'storage', ...storages[known.storage ?? 'asked'] },
    battery(known),
    known.testedMs === null
      ? { name: 'test', light: 'unknown', finding: 'untested' }
      : { name: 'test', light: 'good', finding: 'tested' },
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

const sounds: Record<Known['sound'], Judged> = {
  on: { light: 'good', finding: 'loud' },
  off: { light: 'unknown', finding: 'muted' },
  blocked: { light: 'bad', finding: 'soundBlocked' },
  unsupported: { light: 'unknown', finding: 'noSound' },
}

const storages: Record<NonNullable<Known['storage']> | 'asked', Judged> = {
  persistent: { light: 'good', finding: 'keepsSafely' },
  ordinary: { light: 'good', finding: 'keeps' },
  none: { light: 'bad', finding: 'keepsNothing' },
  asked: { light: 'waiting', finding: 'looking' },
}

function awake({ awake, inIosTab }: Known): Check {
  const name = 'awake'
  if (awake === 'held') return { name, light: 'good', finding: 'awake' }
  if (inIosTab) return { name, light: 'bad', finding: 'sleepyIosTab' }
  return { name, light: 'bad', finding: awake === 'refused' ? 'sleepy' : 'alwaysSleepy' }
}

function line({ online }: Known): Check {
  return online
    ? { name: 'line', light: 'good', finding: 'connected' }
    : { name: 'line', light: 'bad', finding: 'noLine' }
}

function battery({ battery }: Known): Check {
  const name = 'battery'
  if (!battery) return { name, light: 'unknown', finding: 'batteryUnknown' }
  return battery.charging || battery.percent > lowBatteryPercent
    ? { name, light: 'good', finding: 'charged' }
    : { name, light: 'bad', finding: 'batteryLow' }
}
