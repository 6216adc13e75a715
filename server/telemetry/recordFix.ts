import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { FixUp } from '#contract/live.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { clockToleranceMs } from '#contract/shared/liveRules.ts'
import type { Connection } from '../live/publish/connection.ts'
import type { Live } from '../live/publish/live.ts'
import { networkOf } from '../rateLimit/network.ts'
import { TokenBuckets } from '../rateLimit/tokenBuckets.ts'
import type { Recorder } from './recorder.ts'

/**
 * Records and publishes a fix, with or without a position, to code that has checked the driver and the data link.
 * Returns null if it exceeds the rate limit of its session or network.
 */
export type RecordFix = (session: SessionId, fix: FixUp, from: FixSource) => RecordedFix | null

/** A recorded fix: its sequence number in the recorder, and when the server received it. */
interface RecordedFix {
  number: number
  contactAt: EpochMs
}

/** The origin of a fix: a connection, which does not receive it back, or an HTTP call. */
interface FixSource {
  connection?: Connection
  /** Undefined if its network is not limited. */
  address: string | undefined
}

interface Services {
  clock: Clock
  live: Pick<Live, 'publish'>
  recorder: Pick<Recorder, 'record'>
  metrics: { fixOverLimit(): void }
  fixesPerSecond: number
}

/** The maximum age of a fix by its own timestamp. */
const maxFixAgeMs = dayMs

/** Creates the only entrance of fixes into this node: its rate limits count connections and HTTP calls together. */
export function createRecordFix({
  clock,
  live,
  recorder,
  metrics,
  fixesPerSecond,
}: Services): RecordFix {
  const limits = new FixLimits(fixesPerSecond)
  return (session, fix, { connection, address }) => {
    if (!limits.allows(session, address, clock.monotonicMs())) {
      metrics.fixOverLimit()
      return null
    }
    const now = clock.now()
    // A phone with a wrong clock must not write into the future or another day. Small errors are kept,
    // so that a fix sent twice has the same time and is stored once.
    const isOff = fix.at > now + clockToleranceMs || fix.at < now - maxFixAgeMs
    const at = isOff ? now : fix.at
    const { la, lo, v, ac, h } = fix
    const ar = isOff || fix.ar
    const reading = { at, la, lo, v, ac, ...(h != null && { h }), ...(ar && { ar }) }
    const number = recorder.record(session, reading, now)
    const event = { t: 'fix', s: session, c: now, ...reading } as const
    // The phone's own connection does not receive the fix back.
    live.publish(`session:${session}`, event, connection)
    return { number, contactAt: now }
  }
}

/** Ten seconds' worth may arrive in a burst: a receiver's buffer after a network outage. */
const burstSeconds = 10

/** Three thousand cars at 1 Hz behind one IP address are more than any paddock has. */
const fixesPerSecondPerNetwork = 3000

/** Rate limits of fixes on this node, by session and by network, for connections and reports by HTTP together. */
export class FixLimits {
  readonly #sessions: TokenBuckets
  readonly #networks = new TokenBuckets({
    capacity: fixesPerSecondPerNetwork * burstSeconds,
    refillPerSecond: fixesPerSecondPerNetwork,
  })

  constructor(fixesPerSecond: number) {
    this.#sessions = new TokenBuckets({
      capacity: fixesPerSecond * burstSeconds,
      refillPerSecond: fixesPerSecond,
    })
  }

  /**
   * Returns false if this fix exceeds the limit of its session or network. `address` is undefined if its
   * network is not limited.
   */
  allows(session: SessionId, address: string | undefined, nowMs: number): boolean {
    if (!this.#sessions.tryConsume(session, nowMs)) return false
    return address === undefined || this.#networks.tryConsume(networkOf(address), nowMs)
  }
}
