import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { TrustedReading } from '#contract/fix.ts'
import { fixEveryMs } from '#contract/liveRules.ts'
import { useUserId } from '#web/api/useUserId.ts'
import type { Driven } from '#web/device/fixDatabase.ts'
import { KeptFixes } from '#web/live/keptFixes.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useRoom } from '#web/live/useLive.ts'
import type { Gps } from './usePosition.ts'

const noReading: TrustedReading = {
  latitude: null,
  longitude: null,
  speedKmh: null,
  accuracyM: null,
}

// Receivers give a reading about once a second, not to the millisecond.
const slackMs = 150

interface Reported {
  /** None if the car's place was not known. */
  readonly reading: TrustedReading | null
  /** By the server's clock, as it was known then. */
  readonly at: number
  /** By this device's clock. */
  readonly reportedAt: number
}

const nothing: Reported = { reading: null, at: 0, reportedAt: Number.NEGATIVE_INFINITY }

/**
 * Reports where the car is each second, also that it is not known: that is the driver's contact.
 * A new reading goes out at once, so that it does not wait for a tick and arrive a second old.
 * What the line does not bring over is kept on the phone.
 */
export function useReporting(sessionId: string, gps: Gps) {
  const channel = useChannel()
  const kept = useKeptFixes(sessionId)
  const last = useRef(nothing)

  /** The same reading has the same time whenever it is reported: twice it would be two. */
  const timeOf = (known: ReturnType<Gps['current']>): number =>
    known && known.reading === last.current.reading
      ? last.current.at
      : channel.clock.now() - Math.round(known?.ageMs ?? 0)
  const report = useEffectEvent(() => {
    const known = gps.current()
    const fix = { at: timeOf(known), ...(known?.reading ?? noReading) }
    const sent = channel.sendFix(fix)
    kept.current?.note(fix, sent)
    if (sent || known) {
      const reading = known?.reading ?? null
      last.current = { reading, at: fix.at, reportedAt: performance.now() }
    }
  })
  const reportIfDue = useEffectEvent((afterMs: number) => {
    if (performance.now() - last.current.reportedAt >= afterMs) report()
  })
  /** How long a new reading has to wait. What was said last is that nothing is known: that is mended at once. */
  const waitMs = useEffectEvent(() =>
    last.current.reading ? last.current.reportedAt + fixEveryMs - slackMs - performance.now() : 0,
  )

  useEffect(() => {
    if (!gps.reading) return
    const dueInMs = waitMs()
    if (dueInMs <= 0) return report()
    // Sooner than the tick, which may be a second away.
    const timer = setTimeout(() => report(), dueInMs)
    return () => clearTimeout(timer)
  }, [gps.reading])

  // The team sees at once that the car is back, not with the next tick.
  useEffect(() => channel.onDriving(() => report()), [channel])

  // A reading that is lost is not reported at once: often the next one comes in the same moment.
  const hasReading = gps.reading !== null
  useEffect(() => {
    // With readings coming in, the tick only stands in for one that is missing.
    const everyMs = fixEveryMs + (hasReading ? slackMs : 0)
    const timer = setInterval(() => reportIfDue(everyMs - slackMs), everyMs)
    return () => clearInterval(timer)
  }, [hasReading])
}

/** Keeps on this phone what the line does not bring over, for as long as it drives this session. */
function useKeptFixes(sessionId: string): RefObject<KeptFixes | null> {
  const channel = useChannel()
  const userId = useUserId()
  const kept = useRef<KeptFixes | null>(null)
  useEffect(() => {
    if (userId === null) return
    const fixes = keptFixesOf({ userId, sessionId })
    kept.current = fixes
    const undo = channel.onLineState(() => {
      if (channel.lineState !== 'open') fixes.lineLost()
    })
    return () => {
      undo()
      fixes.lineLost()
      kept.current = null
    }
  }, [channel, userId, sessionId])
  useRoom(`session:${sessionId}`, frame => {
    if (frame.t === 'beat' && frame.wrote !== undefined) kept.current?.heardWritten(frame.wrote)
  })
  return kept
}

function keptFixesOf(driven: Driven): KeptFixes {
  // Its code is not needed for the first paint, but has to be there before the first tunnel.
  const store = () => import('#web/device/fixStore.ts')
  // What failed is tried again with the next fix.
  store().catch(() => undefined)
  return new KeptFixes({
    keep: async fixes => (await store()).keepFixes(driven, fixes),
    keepSent: async (fix, arrived) => (await store()).keepSent(driven, fix, arrived),
    takeBackSent: async () => (await store()).takeBackSent(),
    report: problem => reportError(new Error(problem)),
  })
}
