import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/**
 * Acknowledges by a tap anywhere on the screen, or by Enter and Space, as sent by a button on the
 * steering wheel. A finger put down on one version does not acknowledge the next. Attach the returned
 * ref to the screen.
 */
export function useAcknowledging(
  version: number,
  acknowledge: () => void,
): RefObject<HTMLElement | null> {
  const screen = useRef<HTMLElement>(null)
  const touched = useRef<number | null>(null)
  const onDown = useEffectEvent(() => {
    touched.current = version
  })
  const onTap = useEffectEvent((event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('button')) return
    // Screen readers click without a pointer event.
    const isCurrent = touched.current === null || touched.current === version
    touched.current = null
    if (isCurrent) acknowledge()
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.repeat || (event.key !== 'Enter' && event.key !== ' ')) return
    // On a focused button these keys press the button.
    if (event.target instanceof HTMLButtonElement) return
    event.preventDefault()
    acknowledge()
  })
  useEffect(() => {
    const element = screen.current
    const down = () => onDown()
    const tap = (event: MouseEvent) => onTap(event)
    const key = (event: KeyboardEvent) => onKey(event)
    element?.addEventListener('pointerdown', down)
    element?.addEventListener('click', tap)
    window.addEventListener('keydown', key)
    return () => {
      element?.removeEventListener('pointerdown', down)
      element?.removeEventListener('click', tap)
      window.removeEventListener('keydown', key)
    }
  }, [])
  return screen
}
