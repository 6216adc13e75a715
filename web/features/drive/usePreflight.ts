import { useEffect, useRef, useState } from 'react'
import type { Storage } from '#web/device/persist.ts'
import { soundTone, unlockSound, wantsSound } from '#web/device/sound.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useRoom } from '#web/live/useLive.ts'
import type { Known } from './preflightChecks.ts'

/** How long a test flash stands. */
const testShownMs = 3000

/** A test flash that is not back by then is lost. */
const testLostAfterMs = 5000

export interface Preflight {
  readonly open: boolean
  /** Nothing is left to offer: whoever drives may come back to the checks while no message is up. */
  readonly started: boolean
  /** The starting tap: asks for everything that wants a tap. */
  readonly start: () => void
  readonly close: () => void
  readonly test: () => void
  /** The test flash came back and stands on the screen. */
  readonly testing: boolean
  readonly storage: Storage | null
  readonly testedMs: number | null
  readonly testLost: boolean
  readonly roundTripMs: number | null
}

/** What is looked at before the start, besides what the drive screen knows anyway. */
export function usePreflight(sessionId: string): Preflight {
  const channel = useChannel()
  const [open, setOpen] = useState(false)
  const [storage, setStorage] = useState<Storage | null>(null)
  const test = useTest(sessionId)
  return {
    open,
    started: open,
    start: () => {
      setOpen(true)
      void import('#web/device/persist.ts').then(({ askToKeep }) => askToKeep()).then(setStorage)
      if (wantsSound()) void letHear()
    },
    close: () => setOpen(false),
    ...test,
    storage,
    roundTripMs: channel.clock.roundTripMs,
  }
}

/** What a message will sound like. */
async function letHear() {
  if (await unlockSound()) soundTone()
}

/** A flash that goes by way of the server and comes back; a screen of the team that showed it says so. */
function useTest(sessionId: string): Pick<Preflight, 'test' | 'testing' | 'testedMs' | 'testLost'> {
  const channel = useChannel()
  const askedAt = useRef<number | null>(null)
  const [testedMs, setTestedMs] = useState<number | null>(null)
  const [testing, setTesting] = useState(false)
  const [asked, setAsked] = useState(0)
  const [testLost, setTestLost] = useState(false)
  useEffect(() => {
    if (asked === 0) return
    const timer = setTimeout(() => setTestLost(askedAt.current !== null), testLostAfterMs)
    return () => clearTimeout(timer)
  }, [asked])
  useRoom(`session:${sessionId}`, frame => {
    if (askedAt.current === null) return
    if (frame.t === 'test') setTesting(true)
    if (frame.t !== 'test-seen') return
    setTestedMs(performance.now() - askedAt.current)
    askedAt.current = null
    setTestLost(false)
  })
  useEffect(() => {
    if (!testing) return
    const timer = setTimeout(() => setTesting(false), testShownMs)
    return () => clearTimeout(timer)
  }, [testing])
  return {
    test: () => {
      setTestLost(false)
      setAsked(asked + 1)
      askedAt.current = performance.now()
      channel.testFlash()
    },
    testing,
    testedMs,
    testLost,
  }
}

/** The part of what is known that comes from here. */
export function knownOf({
  storage,
  testedMs,
  testLost,
  roundTripMs,
}: Preflight): Pick<Known, 'storage' | 'testedMs' | 'testLost' | 'roundTripMs'> {
  return { storage, testedMs, testLost, roundTripMs }
}
