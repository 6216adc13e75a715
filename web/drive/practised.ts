import { settingKeys } from '#web/device/stored.ts'
import { textStore } from '#web/device/textStore.ts'

const storageKey = settingKeys.practised

/** Whether somebody has practised tap and hold on this phone. */
export function hasPractised(): boolean {
  return textStore.read(storageKey) !== null
}

export function storePractised() {
  textStore.write(storageKey, 'yes')
}
