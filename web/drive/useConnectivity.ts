import { useSyncExternalStore } from 'react'
import { isOnline, onConnectivity } from '#web/device/connectivity.ts'
import { useConnectionState } from '#web/live/useLive.ts'

/**
 * Whether the driver is online: the browser is online and the live connection is open. The browser's
 * view alone is not enough: it also counts networks without a route to the server.
 */
export function useConnectivity(): boolean {
  const connected = useSyncExternalStore(onConnectivity, isOnline)
  const connection = useConnectionState()
  return connected && connection.status === 'open'
}
