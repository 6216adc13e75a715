import { useEffect, useRef, useState } from 'react'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useRoom } from '#web/live/useLive.ts'

/** Duration of a test flash on this screen. */
const testShownMs = 3000

/** Timeout of a test flash. */
const testLostAfterMs = 5000

interface TestFlash {
  readonly send: () => void
  /** The test flash came back and is shown. */
  readonly isShown: boolean
  /** Time until a team screen has shown it. */
  readonly tookMs: number | null
  readonly isLost: boolean
}

/**
 * A test flash travels through the server to every screen of the session; a team screen that shows it
 * responds.
 */
export function useTestFlash(sessionId: string): TestFlash {
  const channel = useChannel()
  const sentAt = useRef<number | null>(null)
  /** Set until the server accepts this phone, if it has not yet. */
  const isDue = useRef(false)
  const [tookMs, setTookMs] = useState<number | null>(null)
  const [isShown, setShown] = useState(false)
  const [attempts, setAttempts] = useState(0)
  const [isLost, setLost] = useState(false)
  useEffect(() => {
    if (attempts === 0) return
    const timer = setTimeout(() => {
      isDue.current = false
      setLost(sentAt.current !== null)
    }, testLostAfterMs)
    return () => clearTimeout(timer)
  }, [attempts])
  useRoom(`session:${sessionId}`, frame => {
    if (sentAt.current === null) return
    if (frame.t === 'test') setShown(true)
    if (frame.t !== 'test-seen') return
    setTookMs(performance.now() - sentAt.current)
    sentAt.current = null
    setLost(false)
  })
  useEffect(
    () =>
      channel.onDriving(() => {
        if (isDue.current) isDue.current = !channel.sendFromCar({ t: 'test' })
      }),
    [channel],
  )
  useEffect(() => {
    if (!isShown) return
    const timer = setTimeout(() => setShown(false), testShownMs)
    return () => clearTimeout(timer)
  }, [isShown])
  return {
    send: () => {
      setLost(false)
      setAttempts(attempts + 1)
      sentAt.current = performance.now()
      isDue.current = !channel.sendFromCar({ t: 'test' })
    },
    isShown,
    tookMs,
    isLost,
  }
}
