import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { type MediaButtonState, mediaButton } from '#web/device/mediaButton.ts'

/** Makes the buttons of a Bluetooth remote press `onPress`, if the driver wants that. Call the result in a tap; again changes nothing. */
export function useMediaButton(onPress: () => void): () => void {
  const press = useEffectEvent(onPress)
  useEffect(() => mediaButton.onPress(() => press()), [])
  return () => mediaButton.listen()
}

export function useMediaButtonState(): MediaButtonState {
  return useSyncExternalStore(
    listener => mediaButton.onState(listener),
    () => mediaButton.state,
  )
}
