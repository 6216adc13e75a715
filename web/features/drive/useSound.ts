import { useEffect, useEffectEvent, useState } from 'react'
import type { Message } from '#contract/messages.ts'
import { canSound, keepWantsSound, soundTone, unlockSound, wantsSound } from '#web/device/sound.ts'
import { vibrate } from '#web/device/vibrate.ts'

export interface Sound {
  readonly state: 'on' | 'off' | 'blocked' | 'unsupported'
  /** Lets tones be heard from now on. Only in a tap. */
  readonly unlock: () => void
  readonly toggle: () => void
}

const newMessageMs = [200, 100, 200]

/** A short tone and a shake for each new message that the driver sees; what was there before is not new. */
export function useSound(message: Message, isSeen: boolean): Sound {
  const [wanted, setWanted] = useState(wantsSound)
  const [unlocked, setUnlocked] = useState<boolean | null>(null)
  const { version } = message
  const isNew = isSeen && message.type !== null && message.shownAt === null
  // Only a new message counts: switching the sound on later is none.
  const announce = useEffectEvent(() => {
    if (!isNew) return
    if (wanted) soundTone()
    vibrate(newMessageMs)
  })
  useEffect(() => {
    if (version > 0) announce()
  }, [version])

  function unlock() {
    void unlockSound().then(setUnlocked)
  }
  return {
    state: !canSound() ? 'unsupported' : !wanted ? 'off' : unlocked === false ? 'blocked' : 'on',
    unlock,
    toggle: () => {
      setWanted(!wanted)
      keepWantsSound(!wanted)
      if (!wanted) unlock()
    },
  }
}
