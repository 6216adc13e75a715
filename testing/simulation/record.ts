import type { AnswerKind } from '#contract/answers.ts'
import type { MessageType } from '#contract/messages.ts'
import type { LogLine } from './node.ts'
import type { VirtualTime } from './virtualTime.ts'

/** A command of a team member, as it really happened. */
export interface PressRecord {
  readonly by: string
  readonly commandId: string
  readonly type: MessageType | null
  readonly ask: boolean
  readonly pressedAtMs: number
  answer: { readonly version: number; readonly atMs: number } | null
}

/** A message painted on a visible page of the driver. */
export interface PaintRecord {
  readonly device: string
  /** The name of the drive screen: see `DriverScreen`. */
  readonly screen: string
  readonly version: number
  readonly type: MessageType | null
  readonly expiresAt: number | null
  readonly atMs: number
  /** The uncertainty of the page's clock estimate: half of its round trip. */
  readonly clockErrorMs: number
  /** True if the page's clock was synchronised. */
  readonly isClockSynchronized: boolean
  /** True if the device could store that it was painted. */
  readonly isStored: boolean
  /** True if this version was seen before: it may then be painted again, however old. */
  readonly wasSeen: boolean
}

interface TapRecord {
  readonly screen: string
  readonly version: number
  /** True if the device could store it. */
  readonly isStored: boolean
  readonly atMs: number
}

/** A press of the driver that answers something. */
export interface AnswerRecord {
  readonly id: string
  readonly kind: AnswerKind
  readonly version: number
  readonly device: string
  readonly screen: string
  readonly atMs: number
  readonly clockErrorMs: number
  readonly isClockSynchronized: boolean
  /** True if the device could store it: from then on it must not be lost. */
  readonly isStored: boolean
}

/** A reading to be reported; every reading has a unique position. */
export interface FixRecord {
  readonly takenAtMs: number
  readonly device: string
  /** The times with which the device stored it: an estimate, and then the corrected time. */
  readonly storedAtMs: number[]
  /** True if the page's clock was synchronised when the fix was stored. */
  isClockSynchronized: boolean
  /** True once the device stored it: from then on it must not be lost. */
  isStored: boolean
}

/** Records the events of a schedule, independent of servers and clients. */
export class TruthRecord {
  readonly time: VirtualTime
  readonly presses: PressRecord[] = []
  readonly paints: PaintRecord[] = []
  readonly taps: TapRecord[] = []
  readonly answers: AnswerRecord[] = []
  readonly reached = new Set<number>()
  readonly fixes = new Map<string, FixRecord>()
  /** Number of receiver readings. */
  readings = 0
  /** When a fix of the driver's devices last arrived at a server. */
  lastContactMs = Number.NEGATIVE_INFINITY
  readonly violations: string[] = []
  readonly counts: Record<string, number> = {}
  /** When each device's wall clock was set. */
  readonly clockSets: { readonly device: string; readonly atMs: number }[] = []
  /** When each device could store nothing. */
  readonly storageOutages: {
    readonly device: string
    readonly fromMs: number
    toMs: number
  }[] = []
  /** Each deletion of positions: when the call was sent, and when it was answered. */
  readonly deletions: { fromMs: number; toMs: number }[] = []
  /** When the server confirmed that a member left the team, by device. */
  readonly left = new Map<string, number>()

  constructor(time: VirtualTime) {
    this.time = time
  }

  count(what: string, by = 1) {
    this.counts[what] = (this.counts[what] ?? 0) + by
  }

  /** A server logs no error, except that its database is away. */
  checkLog(line: LogLine) {
    if (line.level < 50 || line.err?.message.startsWith('Connection terminated')) return
    this.violate('the server logged an error', JSON.stringify(line))
  }

  violate(rule: string, details = '') {
    this.violations.push(`${rule}${details && `: ${details}`}`)
  }
}
