import { useRef, useState } from 'react'
import { areKeysOn, storeKeysOn } from '#web/message/letters.ts'
import { useKeys } from '#web/ui/useKeys.ts'

export interface WallKeys {
  /** The lane to which letters go; null if none is chosen. */
  chosen: string | null
  /** Chooses the car of this digit, or with 0 all cars. False: there is none. */
  onDigit: (digit: number) => boolean
  onStep: (step: -1 | 1) => void
  /** With Shift the letter asks. False: the letter has no meaning. */
  onLetter: (letter: string, isShifted: boolean) => boolean
  onHelp: () => void
  /** A digit has not chosen a car: no letter may go to the car that was chosen before. */
  onIgnored: () => void
}

/** Keyboard shortcuts of the wall, and the switch that turns them off. */
export function useWallKeys(keys: WallKeys): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(areKeysOn)
  /** The lane that was chosen when a dialog swallowed a digit. */
  const ignoredFor = useRef<string | null>(null)
  const act = (event: KeyboardEvent): boolean => {
    const { key, shiftKey } = event
    const digit = digitOf(event)
    if (key === '?') keys.onHelp()
    else if (key === 'ArrowUp') keys.onStep(-1)
    else if (key === 'ArrowDown') keys.onStep(1)
    else if (digit !== null) {
      ignoredFor.current = null
      if (!keys.onDigit(digit)) keys.onIgnored()
    } else if (!/^\p{L}$/u.test(key)) return false
    else if (ignoredFor.current !== null && ignoredFor.current === keys.chosen) keys.onIgnored()
    else return keys.onLetter(key, shiftKey)
    return true
  }
  useKeys(act, {
    isOn,
    onDialogKey: event => {
      if (digitOf(event) !== null) ignoredFor.current = keys.chosen
    },
  })
  return [
    isOn,
    value => {
      setOn(value)
      storeKeysOn(value)
    },
  ]
}

/** The character of a digit key differs between keyboards, its place does not. */
function digitOf({ code }: KeyboardEvent): number | null {
  const [, digit] = /^(?:Digit|Numpad)(\d)$/.exec(code) ?? []
  return digit === undefined ? null : Number(digit)
}
