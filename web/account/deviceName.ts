import type { SignedInDevice } from '#contract/auth.ts'
import { profileText } from '#web/text/profile.ts'

/** Readable name of a login: "GPS logger", "Chrome on Android". */
export function deviceName({ device, browser, system }: SignedInDevice): string {
  if (device !== null) return device
  if (browser !== null && system !== null) return profileText.browserOn(browser, system)
  return browser ?? system ?? profileText.someBrowser
}
