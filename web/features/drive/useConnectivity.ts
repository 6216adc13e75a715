import { useSyncExternalStore } from 'react'
import { isOnline, onConnectivity } from '#web/device/connectivity.ts'
import { useLine } from '#web/live/useLive.ts'

/**
 * Whether the driver is online: the browser says so and the live line is open. The browser alone
 * lies: to it, a network without a way to the server is a connection.
 */
export function useConnectivity(): boolean {
  const connected = useSyncExternalStore(onConnectivity, isOnline)
  const line = useLine()
  return connected && line === 'open'
}
