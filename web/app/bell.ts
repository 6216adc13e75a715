import type { NotificationKind } from '#contract/teamEvents.ts'
import { read } from '#web/api/call.ts'
import { alertWhileHidden } from '#web/device/hiddenAlert.ts'
import { pushEndpoint } from '#web/device/push.ts'
import { isVisible } from '#web/device/visibility.ts'

interface Settings {
  kinds: readonly NotificationKind[]
  /** The push endpoint of this login; null without a subscription. */
  endpoint: string | null
}

/** Alerts a hidden page to an event, unless the person does not want it or this device is notified of it. */
export async function ringWhileHidden(kind: NotificationKind, text: string) {
  if (isVisible()) return
  // Without an answer an unwanted alert is better than a missed one.
  const settings = await read('notifications.settings', {}).catch(() => null)
  const endpoint = await pushEndpoint().catch(() => null)
  if (!settings || isRung(kind, settings, endpoint)) alertWhileHidden(text)
}

/** `endpoint` is the push endpoint of this browser; null without a subscription. No device shows an event twice. */
export function isRung(
  kind: NotificationKind,
  settings: Settings,
  endpoint: string | null,
): boolean {
  const isNotified = endpoint !== null && endpoint === settings.endpoint
  return settings.kinds.includes(kind) && !isNotified
}
