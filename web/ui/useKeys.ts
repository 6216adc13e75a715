import { useEffect, useEffectEvent } from 'react'
import { isPopupOpening } from './usePopups.ts'

type OnKey = (event: KeyboardEvent) => boolean

interface Options {
  /** False: keys do nothing. */
  isOn?: boolean
  /** Called in place of `act` while a dialog or menu is open. */
  onDialogKey?: (event: KeyboardEvent) => void
}

/**
 * Calls `act` for each key that is pressed alone or with Shift; it returns true if the key has a meaning. Not for keys
 * that are held, nor while a field has the focus, which Escape releases, or a dialog or menu is open or opening. A closing
 * one does not count: its last frames must not swallow a key.
 */
export function useKeys(act: OnKey, { isOn = true, onDialogKey }: Options = {}) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    const field = focusedField()
    if (field) {
      if (event.key === 'Escape') field.blur()
    } else if (isDialogOpen()) onDialogKey?.(event)
    else if (act(event)) event.preventDefault()
  })
  useEffect(() => {
    if (!isOn) return
    const listener = (event: KeyboardEvent) => press(event)
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [isOn])
}

/** Returns the field in which keys are typed; null if there is none. */
function focusedField(): HTMLElement | null {
  const { activeElement } = document
  const isField =
    activeElement instanceof HTMLElement &&
    activeElement.matches('input, textarea, select, [contenteditable]') &&
    !activeElement.closest('[data-closed]')
  return isField ? activeElement : null
}

const openDialogs = ['dialog', 'alertdialog', 'menu']
  .map(role => `[role=${role}]:not([data-closed])`)
  .join()

function isDialogOpen(): boolean {
  return isPopupOpening() || document.querySelector(openDialogs) !== null
}
