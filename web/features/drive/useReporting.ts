import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { TrustedReading } from '#contract/fix.ts'
import { fixEveryMs } from '#contract/liveRules.ts'
import type { FixStore } from '#web/device/fixStore.ts'
import { KeptFixes } from '#web/live/keptFixes.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import type { Gps } from './usePosition.ts'

const noReading: TrustedReading = {
  latitude: null,
  longitude: null,
  speedKmh: null,
  accuracyM: null,
}

// Receivers give a reading about once a second, not to the millisecond.
const slackMs = 150

/**
 * Reports where the car is each second, also that it is not known: that is the driver's contact.
 * A new reading goes out at once, so that it does not wait for a tick and arrive a second old.
 * What the line does not bring over is kept on the phone.
 */
export function useReporting(sessionId: string, gps: Gps) {
  const channel = useChannel()
  const [kept] = useState(newKeptFixes)
  const last = useRef({ reportedAt: Number.NEGATIVE_INFINITY, hadReading: false })

  const report = useEffectEvent(() => {
    const known = gps.current()
    const at = channel.clock.now() - Math.round(known?.ageMs ?? 0)
    const fix = { at, ...(known?.reading ?? noReading) }
    const sent = channel.sendFix(fix)
    kept.note(sessionId, fix, sent)
    if (sent || known) last.current = { reportedAt: performance.now(), hadReading: known !== null }
  })
  const reportIfDue = useEffectEvent((afterMs: number) => {
    if (performance.now() - last.current.reportedAt >= afterMs) report()
  })
  const reportReading = useEffectEvent(() => {
    // What was said last is that nothing is known: that is mended without waiting.
    reportIfDue(last.current.hadReading ? fixEveryMs - slackMs : 0)
  })

  useEffect(() => {
    if (gps.reading) reportReading()
  }, [gps.reading])

  // The team sees at once that the car is back, not with the next tick.
  useEffect(() => channel.onDriving(() => report()), [channel])

  useEffect(
    () =>
      channel.onLineState(() => {
        if (channel.lineState !== 'open') kept.lineLost()
      }),
    [channel, kept],
  )

  // A reading that is lost is not reported at once: often the next one comes in the same moment.
  const hasReading = gps.reading !== null
  useEffect(() => {
    // With readings coming in, the tick only stands in for one that is missing.
    const everyMs = fixEveryMs + (hasReading ? slackMs : 0)
    const timer = setInterval(() => reportIfDue(everyMs - slackMs), everyMs)
    return () => clearInterval(timer)
  }, [hasReading])
}

/** The store's code is not needed for the first paint, but has to be there before the first tunnel. */
function newKeptFixes(): KeptFixes {
  let store: Promise<FixStore> | null = null
  const open = () => {
    store ??= import('#web/device/fixStore.ts').then(({ openFixStore }) => openFixStore())
    // What failed is tried again with the next fix.
    store.catch(() => {
      store = null
    })
    return store
  }
  open().catch(() => undefined)
  return new KeptFixes({
    keep: async (sessionId, fixes) => (await open()).add(sessionId, fixes),
    report: problem => reportError(new Error(problem)),
  })
}
