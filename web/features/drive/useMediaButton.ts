import { useEffect, useEffectEvent, useRef } from 'react'
import { hearMediaButton } from '#web/device/mediaButton.ts'

/** Makes the buttons of a Bluetooth remote press `onPress`. Call the result in a tap; again changes nothing. */
export function useMediaButton(onPress: () => void): () => void {
  const undo = useRef<(() => void) | null>(null)
  const press = useEffectEvent(onPress)
  const listener = useRef(() => {})
  useEffect(() => {
    listener.current = () => press()
    return () => {
      undo.current?.()
      undo.current = null
    }
  }, [])
  return () => {
    undo.current ??= hearMediaButton(() => listener.current())
  }
}
