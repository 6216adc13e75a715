import { useEffect, useEffectEvent } from 'react'

/** Calls `ask` with the place of a plate, from 0, for Shift and its number. Not while something is typed. */
export function usePadKeys(ask: (place: number) => void) {
  const press = useEffectEvent(ask)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.shiftKey || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return
      if (
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [role=dialog], [role=menu]')
      )
        return
      // The letter of Shift and a digit differs between keyboards, its place does not.
      const digit = /^Digit([1-9])$/.exec(event.code)?.[1]
      if (digit === undefined) return
      event.preventDefault()
      press(Number(digit) - 1)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
