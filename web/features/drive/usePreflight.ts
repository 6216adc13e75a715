import { useEffect, useRef, useState } from 'react'
import { isInIosTab } from '#web/device/ios.ts'
import { askToKeep, type Storage } from '#web/device/persist.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useRoom } from '#web/live/useLive.ts'
import type { Known } from './preflightChecks.ts'

/** How long a test flash stands. */
const testShownMs = 3000

export interface Preflight {
  readonly open: boolean
  /** It was open before. */
  readonly started: boolean
  /** The starting tap: asks for everything that wants a tap. */
  readonly start: () => void
  readonly close: () => void
  readonly test: () => void
  /** The test flash came back and stands on the screen. */
  readonly testing: boolean
  readonly storage: Storage | null
  readonly testedMs: number | null
  readonly roundTripMs: number | null
  readonly inIosTab: boolean
}

/** What is looked at before the start, besides what the drive screen knows anyway. */
export function usePreflight(sessionId: string): Preflight {
  const channel = useChannel()
  const [open, setOpen] = useState(false)
  const [started, setStarted] = useState(false)
  const [storage, setStorage] = useState<Storage | null>(null)
  const [inIosTab] = useState(isInIosTab)
  const test = useTest(sessionId)
  return {
    open,
    started,
    start: () => {
      setStarted(true)
      setOpen(true)
      void askToKeep().then(setStorage)
    },
    close: () => setOpen(false),
    ...test,
    storage,
    roundTripMs: channel.clock.errorMs === null ? null : channel.clock.errorMs * 2,
    inIosTab,
  }
}

/** A flash that goes by way of the server and comes back; a screen of the team that showed it says so. */
function useTest(sessionId: string): Pick<Preflight, 'test' | 'testing' | 'testedMs'> {
  const channel = useChannel()
  const askedAt = useRef<number | null>(null)
  const [testedMs, setTestedMs] = useState<number | null>(null)
  const [testing, setTesting] = useState(false)
  useRoom(`session:${sessionId}`, frame => {
    if (askedAt.current === null) return
    if (frame.t === 'test') setTesting(true)
    if (frame.t !== 'test-seen') return
    setTestedMs(performance.now() - askedAt.current)
    askedAt.current = null
  })
  useEffect(() => {
    if (!testing) return
    const timer = setTimeout(() => setTesting(false), testShownMs)
    return () => clearTimeout(timer)
  }, [testing])
  return {
    test: () => {
      if (channel.testFlash()) askedAt.current = performance.now()
    },
    testing,
    testedMs,
  }
}

/** The part of what is known that comes from here. */
export function knownOf({
  storage,
  testedMs,
  roundTripMs,
  inIosTab,
}: Preflight): Pick<Known, 'storage' | 'testedMs' | 'roundTripMs' | 'inIosTab'> {
  return { storage, testedMs, roundTripMs, inIosTab }
}
