import { forgetStored, versionKey } from '#web/device/stored.ts'

/** Forgets what this app keeps on the device about a person. The app itself stays installed. */
export function clearDevice(): Promise<void> {
  return forgetStored(key => key === versionKey)
}
