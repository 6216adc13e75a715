import { useEffect, useEffectEvent, useState } from 'react'
import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import {
  playTone,
  storeWantsSound,
  supportsSound,
  unlockSound,
  wantsSound,
} from '#web/device/attention/sound.ts'
import { vibrate } from '#web/device/attention/vibrate.ts'

/** `asked`: the browser has not allowed or blocked audio yet. */
export type SoundState = 'on' | 'off' | 'asked' | 'blocked' | 'unsupported'

export interface Sound {
  readonly state: SoundState
  /** Unlocks audio. Requires a user gesture. */
  readonly unlock: () => void
  readonly toggle: () => void
}

const newMessageMs = [200, 100, 200]

/**
 * Plays a tone and vibrates for each new message the driver sees. A message that was there before is
 * not new.
 */
export function useSound({ message, isWithheld, isNew }: DriverMessageState): Sound {
  const [enabled, setEnabled] = useState(wantsSound)
  const [unlocked, setUnlocked] = useState<boolean | null>(null)
  const version = message?.version ?? 0
  // An effect event: switching the sound on later must not replay the tone.
  const announce = useEffectEvent(() => {
    if (!isNew || isWithheld || !message?.type) return
    if (enabled) playTone()
    vibrate(newMessageMs)
  })
  useEffect(() => {
    if (version > 0) announce()
  }, [version])

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
