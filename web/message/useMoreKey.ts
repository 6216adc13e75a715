import { useEffect, useEffectEvent } from 'react'

/** Calls `open` on Shift+M, except in a text field or while a dialog is open. */
export function useMoreKey(open: () => void) {
  const press = useEffectEvent(open)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.shiftKey || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return
      if (event.key.toUpperCase() !== 'M') return
      const { target } = event
      if (target instanceof HTMLElement && target.closest('input, textarea, select')) return
      if (document.querySelector('[role=dialog], [role=alertdialog], [role=menu]')) return
      event.preventDefault()
      press()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}
