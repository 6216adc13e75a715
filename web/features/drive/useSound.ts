import { useEffect, useEffectEvent, useState } from 'react'
import { canSound, keepWantsSound, soundTone, unlockSound, wantsSound } from '#web/device/sound.ts'
import { vibrate } from '#web/device/vibrate.ts'
import type { DriverMessageState } from '#web/live/driverMessage.ts'

/** `asked`: the browser has not said yet whether sounds may be made. */
export type SoundState = 'on' | 'off' | 'asked' | 'blocked' | 'unsupported'

export interface Sound {
  readonly state: SoundState
  /** Lets tones be heard from now on. Only in a tap. */
  readonly unlock: () => void
  readonly toggle: () => void
}

const newMessageMs = [200, 100, 200]

/** A short tone and a shake for each new message that the driver sees; what was there before is not new. */
export function useSound({ message, expired, isNew }: DriverMessageState): Sound {
  const [wanted, setWanted] = useState(wantsSound)
  const [unlocked, setUnlocked] = useState<boolean | null>(null)
  const version = message?.version ?? 0
  // Only a new message counts: switching the sound on later is none.
  const announce = useEffectEvent(() => {
    if (!isNew || expired || !message?.type) return
    if (wanted) soundTone()
    vibrate(newMessageMs)
  })
  useEffect(() => {
    if (version > 0) announce()
  }, [version])

  async function unlock() {
    setUnlocked(await unlockSound())
  }
  async function letHear() {
    await unlock()
    soundTone()
  }
  return {
    state: stateOf(wanted, unlocked),
    unlock: () => void unlock(),
    toggle: () => {
      setWanted(!wanted)
      keepWantsSound(!wanted)
      if (!wanted) void letHear()
    },
  }
}

function stateOf(wanted: boolean, unlocked: boolean | null): SoundState {
  if (!canSound()) return 'unsupported'
  if (!wanted) return 'off'
  if (unlocked === null) return 'asked'
  return unlocked ? 'on' : 'blocked'
}
