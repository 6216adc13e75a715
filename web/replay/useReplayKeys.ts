import { useEffect } from 'react'
import type { ShownLap } from '#web/laps/shownLap.ts'
import { lapBounds } from './lapTimes.ts'
import type { Player } from './player.ts'

/**
 * Handles keys: arrows move by a second, Page keys by a lap, and the space bar plays and pauses. Unlike `useKeys`, also
 * for a key that is held, and while the slider has the focus.
 */
export function useReplayKeys(player: Player, laps: readonly ShownLap[]) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key } = event
      if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return
      // Buttons and links have keys of their own.
      const isButton = target instanceof Element && target.closest('button, a') !== null
      if (key === ' ' && isButton) return
      const act = actionOf(key, player, laps)
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [player, laps])
}

function actionOf(key: string, player: Player, laps: readonly ShownLap[]): (() => void) | null {
  const { time } = player.state
  const to = (at: number) => () => player.seek(at)
  switch (key) {
    case ' ':
      return () => player.toggle()
    case 'ArrowRight':
    case 'ArrowUp':
      return to(time + 1000)
    case 'ArrowLeft':
    case 'ArrowDown':
      return to(time - 1000)
    case 'PageUp':
      return to(lapBounds(laps, time).next ?? player.last)
    case 'PageDown':
      return to(lapBounds(laps, time).previous ?? player.first)
    case 'Home':
      return to(player.first)
    case 'End':
      return to(player.last)
    default:
      return null
  }
}
