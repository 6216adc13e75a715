import { vibrate } from '#web/device/vibrate.ts'

const pressMs = 20

/** Confirms the press of a message key through gloves. */
export function vibratePress() {
  vibrate(pressMs)
}
