import type { MessageType } from '#contract/messages.ts'
import type { VirtualTime } from '../virtualTime.ts'

/** A press of a team member, as it really happened. */
export interface PressRecord {
  readonly by: string
  readonly commandId: string
  readonly type: MessageType | null
  readonly pressedAtMs: number
  answer: { readonly version: number; readonly atMs: number } | null
}

/** A frame that was painted on a visible page of the driver. */
export interface PaintRecord {
  readonly device: string
  readonly version: number
  readonly type: MessageType | null
  readonly expiresAt: number | null
  readonly atMs: number
  /** Half of the round trip that the page's clock estimate rests on. */
  readonly clockErrorMs: number
  /** The clock of the page was synchronised. */
  readonly isClockSure: boolean
  /** The device could store that it was painted. */
  readonly isStored: boolean
  /** The page knew that this version was seen before: it may be painted again, however old. */
  readonly wasSeen: boolean
}

interface TapRecord {
  readonly device: string
  readonly version: number
  /** The device could store it. */
  readonly isStored: boolean
  readonly atMs: number
}

/** A reading of the receiver that the phone meant to report: no two have the same place. */
interface FixRecord {
  readonly takenAtMs: number
  readonly device: string
  /** The time under which the device stored it. */
  storedAtMs: number | null
  /** The page's clock was synchronised when it was stored. */
  isClockSure: boolean
  /** The device stored it: it must not be lost. */
  isKept: boolean
}

/** What really happened in a schedule, whatever server and clients believe. */
export class TruthRecord {
  readonly time: VirtualTime
  readonly presses: PressRecord[] = []
  readonly paints: PaintRecord[] = []
  readonly taps: TapRecord[] = []
  readonly reached = new Set<number>()
  readonly fixes = new Map<string, FixRecord>()
  /** How many readings the receivers gave. */
  readings = 0
  /** When a fix from the driver's devices last arrived at a server. */
  lastContactMs = Number.NEGATIVE_INFINITY
  readonly violations: string[] = []
  readonly counts: Record<string, number> = {}
  /** When the time of which device was set. */
  readonly clockSets: { readonly device: string; readonly atMs: number }[] = []
  /** Each time positions were deleted: when the call was sent, and when it was answered. */
  readonly deletions: { fromMs: number; toMs: number }[] = []
  /** From which device somebody left the team, and when the server answered that they had. */
  readonly left = new Map<string, number>()

  constructor(time: VirtualTime) {
    this.time = time
  }

  count(what: string, by = 1) {
    this.counts[what] = (this.counts[what] ?? 0) + by
  }

  violate(rule: string, details = '') {
    this.violations.push(`${rule}${details && `: ${details}`}`)
  }
}
