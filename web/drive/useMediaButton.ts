import { useEffect, useEffectEvent } from 'react'
import { mediaButton } from '#web/device/mediaButton.ts'

/** Calls `onPress` for the buttons of a Bluetooth remote, once `mediaButton.listen` was called in a user gesture. */
export function useMediaButton(onPress: () => void) {
  const press = useEffectEvent(onPress)
  useEffect(() => mediaButton.onPress(() => press()), [])
}
