import { useEffect, useState, useSyncExternalStore } from 'react'
import { useRoom } from '#web/live/useLive.ts'
import { Player, type PlayerState } from './player.ts'
import { PositionStore } from './positionStore.ts'
import { readPositions } from './useReplayData.ts'

interface Span {
  first: number
  last: number
}

/** Returns the clock of a replay and its positions, for as long as the screen is open. */
export function usePlayer(sessionId: string, span: Span): { player: Player; store: PositionStore } {
  const [replay] = useState(() => {
    const store = new PositionStore(
      span,
      (from, until) => readPositions(sessionId, { from, until }),
      () => player.refresh(),
    )
    const player: Player = new Player({
      ...span,
      isReady: time => {
        store.want(time)
        return store.isLoaded(time)
      },
      nextFrame: act => {
        const frame = requestAnimationFrame(act)
        return () => cancelAnimationFrame(frame)
      },
    })
    return { player, store }
  })
  const { player, store } = replay
  useEffect(() => {
    player.extend(span.last)
    store.extend(span.last)
    store.forgetBefore(span.first)
    player.refresh()
  }, [player, store, span.first, span.last])
  useRoom(`session:${sessionId}`, ({ t }) => {
    if (t !== 'laps-changed') return
    store.reload()
    player.refresh()
  })
  useEffect(() => {
    const stop = player.onFrame(time => store.want(time))
    return () => {
      stop()
      player.pause()
    }
  }, [player, store])
  return replay
}

/** Returns the state of the player, at most once a second while it plays. */
export function usePlayerState(player: Player): PlayerState {
  return useSyncExternalStore(
    listener => player.onState(listener),
    () => player.state,
  )
}
