import { useEffect, useEffectEvent, useRef } from 'react'
import type { MediaButton } from '#web/device/mediaButton.ts'

/**
 * Calls `onPress` for the buttons of a Bluetooth remote, if the driver enabled them. Call the returned
 * function in a user gesture; it is idempotent.
 */
export function useMediaButton(onPress: () => void): () => void {
  const press = useEffectEvent(onPress)
  const button = useRef<MediaButton | null>(null)
  useEffect(() => {
    let unsubscribe = () => {}
    let mounted = true
    // Few drivers use it, and never before the first paint. A failed import is retried with the next
    // screen.
    import('#web/device/mediaButton.ts').then(({ mediaButton }) => {
      if (!mounted) return
      button.current = mediaButton
      unsubscribe = mediaButton.onPress(() => press())
    }, reportError)
    return () => {
      mounted = false
      unsubscribe()
    }
  }, [])
  return () => button.current?.listen()
}
