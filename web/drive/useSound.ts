import { useState } from 'react'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import {
  playTone,
  storeWantsSound,
  supportsSound,
  unlockSound,
  wantsSound,
} from '#web/device/sound.ts'
import { vibrate } from '#web/device/vibrate.ts'
import { useNewMessage } from './useNewMessage.ts'

/** `asked`: the browser has not allowed or blocked audio yet. */
export type SoundState = 'on' | 'off' | 'asked' | 'blocked' | 'unsupported'

export interface Sound {
  readonly state: SoundState
  /** Unlocks audio. Requires a user gesture. */
  readonly unlock: () => void
  readonly toggle: () => void
}

const newMessageMs = [200, 100, 200]

/** Plays a tone and vibrates for each new message the driver sees. */
export function useSound(shown: DriverMessageState): Sound {
  const sound = useSoundState()
  useNewMessage(shown, () => {
    if (sound.state !== 'off') playTone()
    vibrate(newMessageMs)
  })
  return sound
}

/** Whether this phone may play sounds, and whether its driver wants them. */
export function useSoundState(): Sound {
  const [enabled, setEnabled] = useState(wantsSound)
  const [unlocked, setUnlocked] = useState<boolean | null>(null)

  async function unlock() {
    setUnlocked(await unlockSound())
  }
  async function playSample() {
    await unlock()
    playTone()
  }
  return {
    state: stateOf(enabled, unlocked),
    unlock: () => void unlock(),
    toggle: () => {
      setEnabled(!enabled)
      storeWantsSound(!enabled)
      if (!enabled) void playSample()
    },
  }
}

function stateOf(enabled: boolean, unlocked: boolean | null): SoundState {
  if (!supportsSound()) return 'unsupported'
  if (!enabled) return 'off'
  if (unlocked === null) return 'asked'
  return unlocked ? 'on' : 'blocked'
}
