import { useEffect, useSyncExternalStore } from 'react'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { onPlayedPractice, playedPractice, setPlayedPractice } from './played.ts'

/** Simulates the practice car that this tab has started, whichever screen is open. */
export function usePlayPractice() {
  const { userId } = useChannel()
  const sessionId = useSyncExternalStore(onPlayedPractice, playedPractice)
  useEffect(() => {
    if (sessionId === null) return
    let isLeft = false
    let stop = () => {}
    void import('./practicePhone.ts').then(({ playPractice }) => {
      if (!isLeft) stop = playPractice({ userId, sessionId, onEnd: () => setPlayedPractice(null) })
    }, reportError)
    return () => {
      isLeft = true
      stop()
    }
  }, [userId, sessionId])
}
