import { useEffect, useEffectEvent } from 'react'
import { mediaButton } from '#web/device/mediaButton.ts'

/**
 * Calls `onPress` for the buttons of a Bluetooth remote, if the driver enabled them. Call the returned
 * function in a user gesture; it is idempotent.
 */
export function useMediaButton(onPress: () => void): () => void {
  const press = useEffectEvent(onPress)
  useEffect(() => mediaButton.onPress(() => press()), [])
  return () => mediaButton.listen()
}
