import { pageClock } from '#web/device/pageClock.ts'
import { tabStore, textStore } from '#web/device/textStore.ts'

/** The offset of the server's clock from this device's clock, for a reload without a network. */
const clockKey = 'pitboard.clock'

/** State of the live connection stored on this device. */
export const onThisDevice = {
  clockOffset: {
    /** The last known offset in milliseconds; 0 if it was never known. */
    read: () => Number(textStore.read(clockKey)) || 0,
    store: (offsetMs: number) => textStore.write(clockKey, String(Math.round(offsetMs))),
  },
  clock: pageClock,
  store: textStore,
  tabStore,
}
