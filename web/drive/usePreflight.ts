import { useEffect, useRef, useState } from 'react'
import { playTone, unlockSound, wantsSound } from '#web/device/sound.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useRoom } from '#web/live/useLive.ts'
import type { Storage } from '#web/offline/persist.ts'
import type { PreflightInput } from './preflightChecks.ts'

/** Duration of a test flash on this screen. */
const testShownMs = 3000

/** Timeout of a test flash. */
const testLostAfterMs = 5000

export interface Preflight {
  readonly open: boolean
  /** The start button: makes all requests that need a user gesture. */
  readonly start: () => void
  readonly close: () => void
  readonly test: () => void
  /** The test flash came back and is shown. */
  readonly testing: boolean
  readonly storage: Storage | null
  readonly testedMs: number | null
  readonly testLost: boolean
  readonly roundTripMs: number | null
}

/** State of the checks before the start that other hooks of the drive screen do not provide. */
export function usePreflight(sessionId: string): Preflight {
  const channel = useChannel()
  const [open, setOpen] = useState(false)
  const [storage, setStorage] = useState<Storage | null>(null)
  const test = useTest(sessionId)
  return {
    open,
    start: () => {
      setOpen(true)
      void import('#web/offline/persist.ts')
        .then(({ requestDurableStorage }) => requestDurableStorage())
        // Without this code no fixes can be stored either.
        .then(setStorage, () => setStorage('none'))
      if (wantsSound()) void playSample()
    },
    close: () => setOpen(false),
    ...test,
    storage,
    roundTripMs: channel.clock.roundTripMs,
  }
}

/** Plays the tone of a new message as a sample. */
async function playSample() {
  if (await unlockSound()) playTone()
}

/**
 * A test flash travels through the server to every screen of the session; a team screen that shows it
 * responds.
 */
function useTest(sessionId: string): Pick<Preflight, 'test' | 'testing' | 'testedMs' | 'testLost'> {
  const channel = useChannel()
  const sentAt = useRef<number | null>(null)
  const [testedMs, setTestedMs] = useState<number | null>(null)
  const [testing, setTesting] = useState(false)
  const [attempts, setAttempts] = useState(0)
  const [testLost, setTestLost] = useState(false)
  useEffect(() => {
    if (attempts === 0) return
    const timer = setTimeout(() => setTestLost(sentAt.current !== null), testLostAfterMs)
    return () => clearTimeout(timer)
  }, [attempts])
  useRoom(`session:${sessionId}`, frame => {
    if (sentAt.current === null) return
    if (frame.t === 'test') setTesting(true)
    if (frame.t !== 'test-seen') return
    setTestedMs(performance.now() - sentAt.current)
    sentAt.current = null
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
      setAttempts(attempts + 1)
      sentAt.current = performance.now()
      channel.sendFromCar({ t: 'test' })
    },
    testing,
    testedMs,
    testLost,
  }
}

/** The inputs of the checks that come from here. */
export function preflightInputOf({
  storage,
  testedMs,
  testLost,
  roundTripMs,
}: Preflight): Pick<PreflightInput, 'storage' | 'testedMs' | 'testLost' | 'roundTripMs'> {
  return { storage, testedMs, testLost, roundTripMs }
}
