import type { DriverMessageState } from '#client/driver/driverMessage.ts'
import { mediaButton } from '#web/device/mediaButton.ts'
import { useAwake } from './useAwake.ts'
import { useSound } from './useSound.ts'

export type Device = ReturnType<typeof useDevice>

/** The screen lock, the sound and the headset button. Browsers grant them only in a user gesture. */
export function useDevice(shown: DriverMessageState) {
  const awake = useAwake()
  const sound = useSound(shown)
  const request = (wake: () => void) => () => {
    wake()
    sound.unlock()
    mediaButton.listen()
  }
  return { awake, sound, start: request(awake.start), keepReady: request(awake.keepAwake) }
}
