import { useEffect, useEffectEvent, useRef } from 'react'
import type { MediaButton } from '#web/device/mediaButton.ts'

/**
 * Makes the buttons of a Bluetooth remote press `onPress`, if the driver wants that. Call the result in
 * a tap; again changes nothing.
 */
export function useMediaButton(onPress: () => void): () => void {
  const press = useEffectEvent(onPress)
  const button = useRef<MediaButton | null>(null)
  useEffect(() => {
    let undo = () => {}
    let wanted = true
    // Few want it, and nobody before the first paint. What does not load is tried with the next screen.
    import('#web/device/mediaButton.ts').then(({ mediaButton }) => {
      if (!wanted) return
      button.current = mediaButton
      undo = mediaButton.onPress(() => press())
    }, reportError)
    return () => {
      wanted = false
      undo()
    }
  }, [])
  return () => button.current?.listen()
}
