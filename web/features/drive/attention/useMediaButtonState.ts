import { useSyncExternalStore } from 'react'
import { type MediaButtonState, mediaButton } from '#web/device/attention/mediaButton.ts'

export function useMediaButtonState(): MediaButtonState {
  return useSyncExternalStore(
    listener => mediaButton.onState(listener),
    () => mediaButton.state,
  )
}
