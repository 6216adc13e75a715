import { storeClockOffset, storedClockOffsetMs } from '#web/device/clockOffset.ts'
import { pageClock } from '#web/device/pageClock.ts'
import { tabStore, textStore } from '#web/device/textStore.ts'

/** State of the live connection stored on this device. */
export const onThisDevice = {
  clockOffset: { read: storedClockOffsetMs, store: storeClockOffset },
  clock: pageClock,
  store: textStore,
  tabStore,
}
