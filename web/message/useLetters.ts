import { useEffect, useEffectEvent, useState } from 'react'
import type { MessageType } from '#contract/messages.ts'
import { isAskable } from '#contract/shared/messageTypes.ts'
import { letterOf, messageOf, moreLetter } from './letters.ts'

/** Within this time a second A sends ABORT. */
const armedMs = 1500

interface Actions {
  /** To whom letters go: the first A counts for this one only. */
  target: string
  disabled: boolean
  onSend: (type: MessageType | null, ask: boolean) => void
  onMore: () => void
}

interface Letters {
  /** Acts on a letter. False: it has no meaning. */
  readonly press: (letter: string, isShifted: boolean) => boolean
  /** True while a second A sends ABORT. */
  readonly isArmed: boolean
}

/**
 * The letters that send: with Shift they ask. ABORT is sent by two presses of its letter, or one with Shift: a stray key
 * must not send it, and any other key takes the first press back.
 */
export function useLetters({ target, disabled, onSend, onMore }: Actions): Letters {
  const [armedFor, setArmedFor] = useState<string | null>(null)
  const isArmed = armedFor === target
  const letGo = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Shift' && event.key.toUpperCase() !== letterOf('Abort')) setArmedFor(null)
  })
  useEffect(() => {
    if (!isArmed) return
    const timer = setTimeout(() => setArmedFor(null), armedMs)
    const listener = (event: KeyboardEvent) => letGo(event)
    addEventListener('keydown', listener, true)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', listener, true)
    }
  }, [isArmed])
  return {
    isArmed,
    press(letter, isShifted) {
      if (disabled) return false
      if (isShifted && letter.toUpperCase() === moreLetter) {
        onMore()
        return true
      }
      const type = messageOf(letter)
      if (type === undefined) return false
      if (type === 'Abort') {
        const isMeant = isShifted || isArmed
        setArmedFor(isMeant ? null : target)
        if (isMeant) onSend(type, false)
        return true
      }
      // Another order cannot be asked, and a Shift by mistake must not send it as one.
      if (isShifted && !isAskable(type)) return false
      onSend(type, isShifted)
      return true
    },
  }
}
