import { useEffect, useEffectEvent, useState } from 'react'
import { textStore } from '#web/device/textStore.ts'

/** localStorage key of the switch: `off` if the wall has no keyboard shortcuts on this device. */
const storageKey = 'pitboard.wallKeys'

export interface WallKeys {
  /** 1 to 9: the place of a car in the list. */
  onCar: (place: number) => void
  onStep: (step: -1 | 1) => void
  /** With Shift the letter asks. False: the letter has no meaning. */
  onLetter: (letter: string, asks: boolean) => boolean
  onHelp: () => void
}

/**
 * Keyboard shortcuts of the wall, and the switch that turns them off: single keys can be pressed by accident, or by
 * speech input. They are off while a field has the focus, which Escape releases.
 */
export function useWallKeys(keys: WallKeys): [boolean, (isOn: boolean) => void] {
  const [isOn, setOn] = useState(() => textStore.read(storageKey) !== 'off')
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') return field()?.blur()
    const isModified = event.ctrlKey || event.metaKey || event.altKey
    // A held key must not send again and again.
    if (isModified || event.repeat || field() || isInDialog()) return
    if (act(keys, event)) event.preventDefault()
  })
  useEffect(() => {
    if (!isOn) return
    const listener = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [isOn])
  return [
    isOn,
    value => {
      setOn(value)
      if (value) textStore.remove(storageKey)
      else textStore.write(storageKey, 'off')
    },
  ]
}

function act(keys: WallKeys, { key, code, shiftKey }: KeyboardEvent): boolean {
  if (key === '?') keys.onHelp()
  else if (key === 'ArrowUp') keys.onStep(-1)
  else if (key === 'ArrowDown') keys.onStep(1)
  else {
    // The character of a digit key differs between keyboards, its place does not.
    const [, digit] = /^(?:Digit|Numpad)([1-9])$/.exec(code) ?? []
    if (digit !== undefined) keys.onCar(Number(digit) - 1)
    else return /^\p{L}$/u.test(key) && keys.onLetter(key, shiftKey)
  }
  return true
}

function field(): HTMLElement | null {
  const { activeElement } = document
  const isField =
    activeElement instanceof HTMLElement &&
    activeElement.matches('input, textarea, select, [contenteditable]')
  return isField ? activeElement : null
}

function isInDialog(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog]') !== null
}
