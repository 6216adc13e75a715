import type { GpsState } from '#contract/phone.ts'
import { type PhoneFault, phoneFaults } from '#contract/shared/phoneFaults.ts'
import { type Ios, isOlder } from '#web/device/ios.ts'
import type { MediaButtonState } from '#web/device/mediaButton.ts'
import type { VoiceState } from '#web/device/voice.ts'
import type { checksText } from '#web/text/checks.ts'
import type { SoundState } from './useSound.ts'

/** The state of a phone, input of its checks. Null is not known yet. */
export interface PhoneInput {
  /** Whether the page came over a connection that the browser trusts; `unknown` where nothing shows it. */
  readonly page: 'secure' | 'insecure' | 'untrusted' | 'unknown' | null
  /** Access to the network of a private address; `public` for a server on the internet. */
  readonly network: 'public' | 'reached' | 'unreached' | 'denied' | null
  readonly gps: GpsState | null
  readonly accuracyM: number | null
  /** The browser gives the page a place of kilometres in place of the exact one. */
  readonly approximate: boolean
  /** The site's permission. Without an API for it `unknown`. */
  readonly permission: PermissionState | 'unknown'
  /** `asked`: not requested yet, which needs a tap. */
  readonly awake: 'held' | 'refused' | 'asked' | 'unsupported'
  /** Power saving of the phone; null where the browser does not show it. */
  readonly savesPower: boolean | null
  /** How far this phone's clock is ahead of the server's, in milliseconds. */
  readonly clockAheadMs: number | null
  readonly storage: 'persistent' | 'ordinary' | 'full' | 'none' | null
  readonly online: boolean
  readonly roundTripMs: number | null
  /** The test flash, where there is one: its round trip in milliseconds, and whether the last one was lost. */
  readonly test?: { readonly tookMs: number | null; readonly isLost: boolean }
  readonly sound: SoundState
  readonly mediaButton: MediaButtonState
  readonly voice: VoiceState
  readonly installed: boolean
  readonly notifications: NotificationPermission | 'unsupported'
  readonly battery: { readonly percent: number; readonly charging: boolean } | null
  /** Set on an iPhone or iPad. */
  readonly ios: Ios | null
}

/**
 * `bad` blocks, and has to be repaired. A `note` is worth knowing. `unknown` is what a browser cannot measure, or not
 * yet.
 */
export type Light = 'bad' | 'waiting' | 'note' | 'unknown' | 'good'

export interface Check {
  readonly name: CheckName
  readonly light: Light
  /** Key of its texts. */
  readonly finding: Finding
}

export type CheckName = keyof typeof checksText.names

type Outcome = readonly [Light, Finding]

export type Finding = keyof typeof checksText.found

/** At or below this charge a phone without a charger may not last a stint, in percent. */
const enoughForStintPercent = 40

/** Messages must reach the driver within a few seconds: a slower connection delivers them too late. */
const maxRoundTripMs = 2000

/** Laps are dated by the server's clock; a phone further away from it dates what it stores offline wrongly. */
const maxClockErrorMs = 2000

/** The checks in the order in which to repair them. Each is one condition that a stint depends on. */
export function phoneChecks(input: PhoneInput): Check[] {
  const outcomes: Partial<Record<CheckName, Outcome | null>> = {
    page: pages[input.page ?? 'asked'],
    network: networks[input.network ?? 'asked'],
    location: location(input),
    awake: awake(input),
    power: power(input),
    clock: clock(input),
    storage: storages[input.storage ?? 'asked'],
    connection: connection(input),
    test: test(input),
    sound: sounds[input.sound],
    button: buttons[input.mediaButton],
    voice: voices[input.voice],
    installed: input.installed ? ['good', 'installed'] : ['note', 'notInstalled'],
    notifications: notifications[input.notifications],
    battery: battery(input),
  }
  return Object.entries(outcomes).flatMap(([name, outcome]) =>
    outcome ? [{ name: name as CheckName, light: outcome[0], finding: outcome[1] }] : [],
  )
}

/** The checks that have failed, in the order in which to repair them. */
export function thingsToDo(checks: readonly Check[]): Check[] {
  return checks.filter(({ light }) => light === 'bad')
}

/** The failed checks that are reported to the team, without GPS, battery and connection, which have reports of their own. */
export function phoneFaultsOf(checks: readonly Check[]): PhoneFault[] {
  const names: readonly string[] = thingsToDo(checks).map(({ name, finding }) =>
    finding === 'approximate' || finding === 'approximateIos' ? 'approximate' : name,
  )
  return phoneFaults.filter(fault => names.includes(fault))
}

/** Whether no check has failed and none is pending. */
export function isReady(checks: readonly Check[]): boolean {
  return checks.every(({ light }) => light !== 'bad' && light !== 'waiting')
}

const checking: Outcome = ['waiting', 'checking']
const notShown: Outcome = ['unknown', 'notShown']

const pages: Record<NonNullable<PhoneInput['page']> | 'asked', Outcome> = {
  secure: ['good', 'secure'],
  insecure: ['bad', 'insecure'],
  untrusted: ['bad', 'untrusted'],
  unknown: notShown,
  asked: checking,
}

const networks: Record<NonNullable<PhoneInput['network']> | 'asked', Outcome | null> = {
  public: null,
  reached: ['good', 'networkAllowed'],
  unreached: ['bad', 'networkUnreached'],
  denied: ['bad', 'networkBlocked'],
  asked: checking,
}

function location(input: PhoneInput): Outcome {
  const { gps, approximate, ios } = input
  if (gps === 'denied') return ['bad', denied(input)]
  if (gps === 'missing') return ['bad', 'noReceiver']
  if (gps === null || gps === 'lost') return ['waiting', 'locating']
  if (approximate) return ['bad', ios ? 'approximateIos' : 'approximate']
  return gps === 'good' ? ['good', 'located'] : ['bad', 'inaccurate']
}

/** Returns where the location is denied: nowhere yet, on the phone, in the settings of an installed app, or of the site. */
function denied({ permission, ios }: PhoneInput): Finding {
  if (permission === 'prompt') return 'askLocation'
  if (permission === 'granted') return 'locationOff'
  if (!ios) return 'deniedSite'
  return ios.installed ? 'deniedApp' : 'deniedSiteIos'
}

/**
 * Safari keeps a screen awake from iOS 16.4 on. For an app on the Home Screen the lock is granted, too, but has no effect
 * before iOS 18.4. Source: WebKit bug 254545.
 */
function awake({ awake: lock, ios }: PhoneInput): Outcome {
  const old = ios !== null && isOlder(ios, 16, 4)
  if (ios?.installed && !old && isOlder(ios, 18, 4)) return ['bad', 'goesDarkInstalled']
  if (lock === 'held') return ['good', 'awake']
  if (lock === 'asked') return ['unknown', 'awakeLater']
  if (lock === 'refused') return ['bad', 'goesDark']
  return ['bad', old ? 'goesDarkOldIos' : 'alwaysGoesDark']
}

function power({ savesPower }: PhoneInput): Outcome {
  if (savesPower === null) return notShown
  return savesPower ? ['bad', 'savesPower'] : ['good', 'fullPower']
}

function clock({ clockAheadMs }: PhoneInput): Outcome {
  if (clockAheadMs === null) return notShown
  return Math.abs(clockAheadMs) > maxClockErrorMs ? ['bad', 'clockWrong'] : ['good', 'clockRight']
}

const storages: Record<NonNullable<PhoneInput['storage']> | 'asked', Outcome> = {
  persistent: ['good', 'storesSafely'],
  ordinary: ['note', 'stores'],
  full: ['bad', 'storageFull'],
  none: ['bad', 'storesNothing'],
  asked: checking,
}

function connection({ online, roundTripMs }: PhoneInput): Outcome {
  if (!online) return ['bad', 'noConnection']
  return roundTripMs !== null && roundTripMs > maxRoundTripMs
    ? ['bad', 'slowConnection']
    : ['good', 'connected']
}

function test({ test: flash }: PhoneInput): Outcome | null {
  if (!flash) return null
  if (flash.isLost) return ['bad', 'testLost']
  return flash.tookMs === null ? ['unknown', 'untested'] : ['good', 'tested']
}

const sounds: Record<SoundState, Outcome> = {
  asked: ['unknown', 'soundLater'],
  on: ['good', 'loud'],
  off: ['note', 'muted'],
  blocked: ['bad', 'soundBlocked'],
  unsupported: ['unknown', 'noSound'],
}

const buttons: Record<MediaButtonState, Outcome | null> = {
  off: ['unknown', 'buttonOff'],
  asked: checking,
  // Only a press shows whether the phone has such a button at all.
  ready: ['unknown', 'buttonReady'],
  works: ['good', 'buttonWorks'],
  refused: ['bad', 'buttonRefused'],
  unsupported: null,
}

const voices: Record<VoiceState, Outcome | null> = {
  off: ['unknown', 'voiceOff'],
  unsupported: null,
  asked: checking,
  works: ['good', 'voiceWorks'],
  silent: ['bad', 'voiceSilent'],
}

const notifications: Record<PhoneInput['notifications'], Outcome> = {
  granted: ['good', 'notified'],
  denied: ['note', 'notificationsBlocked'],
  default: ['note', 'notNotified'],
  unsupported: notShown,
}

function battery({ battery: known }: PhoneInput): Outcome {
  if (!known) return notShown
  if (known.charging) return ['good', 'charged']
  return known.percent > enoughForStintPercent ? ['note', 'unplugged'] : ['bad', 'batteryLow']
}
