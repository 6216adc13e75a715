import { useRef, useState } from 'react'
import { areKeysOn, storeKeysOn } from '#web/message/letters.ts'
import { useKeys } from '#web/ui/useKeys.ts'

/** Letters wait for this time after a digit that no car has: they may be meant for another car than the chosen one. */
const strayDigitMs = 5000

/** Digits within this time of each other may be the number of a car. */
const numberTypedMs = 700

export interface WallKeys {
  /** The choice of the car to which letters go: another object each time one is chosen, null without one. */
  chosen: object | null
  /** The choice of one car, which `chosen` is again some seconds after all cars were chosen. */
  one: object | null
  /**
   * Chooses the car of this digit, or with 0 all cars. `typed` are the digits pressed in quick succession, of which it is
   * the last. False: it has chosen none, and the person was notified.
   */
  onDigit: (digit: number, typed: string) => boolean
  onStep: (step: -1 | 1) => void
  /** With Shift the letter asks. False: the letter has no meaning. */
  onLetter: (letter: string, isShifted: boolean) => boolean
  onHelp: () => void
  /** A letter was ignored, because a digit before it has chosen no car. */
  onIgnored: () => void
}

/** Keyboard shortcuts of the wall, and the switch that turns them off. */
export function useWallKeys(keys: WallKeys): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(areKeysOn)
  /** A digit that has chosen no car, because a dialog swallowed it or no car has it, and how long letters wait. */
  const ignored = useRef<{ chosen: object | null; until: number } | null>(null)
  const typed = useRef({ digits: '', at: 0 })
  const { chosen } = keys
  const act = (event: KeyboardEvent): boolean => {
    const { key, shiftKey } = event
    const digit = digitOf(event)
    const isQuick = digit !== null && event.timeStamp - typed.current.at < numberTypedMs
    const digits = `${isQuick ? typed.current.digits : ''}${digit ?? ''}`
    typed.current = { digits, at: event.timeStamp }
    if (key === '?') keys.onHelp()
    else if (key === 'ArrowUp') keys.onStep(-1)
    else if (key === 'ArrowDown') keys.onStep(1)
    else if (digit !== null) {
      const isChosen = keys.onDigit(digit, digits)
      if (!isChosen) ignored.current = { chosen, until: event.timeStamp + strayDigitMs }
      // A letter after that time is meant for all cars: it must not go to one.
      else if (digit === 0) ignored.current = { chosen: keys.one, until: Number.POSITIVE_INFINITY }
      else ignored.current = null
    } else if (!/^\p{L}$/u.test(key)) return false
    else if (ignored.current?.chosen === chosen && event.timeStamp < ignored.current.until)
      keys.onIgnored()
    else {
      ignored.current = null
      return keys.onLetter(key, shiftKey)
    }
    return true
  }
  useKeys(act, {
    isOn,
    onDialogKey: event => {
      if (digitOf(event) !== null) ignored.current = { chosen, until: Number.POSITIVE_INFINITY }
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
