import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'

/** A longer touch does not count as a tap: held, it reports a problem. */
const longestTapMs = 500

/**
 * Acknowledges by a tap anywhere on the screen. A finger put down on one version does not acknowledge the next. Attach
 * the returned ref to the screen with the flag above it. Buttons, and elements with `data-no-tap`, do not acknowledge.
 */
export function useAcknowledging(
  version: number,
  acknowledge: () => void,
): RefObject<HTMLDivElement | null> {
  const surface = useRef<HTMLDivElement>(null)
  const touched = useRef<{ version: number; at: number } | null>(null)
  const onDown = useEffectEvent(({ timeStamp }: Event) => {
    touched.current = { version, at: timeStamp }
  })
  const onTap = useEffectEvent((event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('button, [data-no-tap]')) return
    // Screen readers click without a pointer event.
    const touch = touched.current ?? { version, at: event.timeStamp }
    touched.current = null
    if (touch.version === version && event.timeStamp - touch.at < longestTapMs) acknowledge()
  })
  useEffect(() => {
    const element = surface.current
    const down = (event: Event) => onDown(event)
    const tap = (event: MouseEvent) => onTap(event)
    element?.addEventListener('pointerdown', down)
    element?.addEventListener('click', tap)
    return () => {
      element?.removeEventListener('pointerdown', down)
      element?.removeEventListener('click', tap)
    }
  }, [])
  return surface
}
