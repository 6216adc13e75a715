import { useCallback, useEffect, useState } from 'react'
import { isInstalled } from '#web/device/installation.ts'
import { thisIos } from '#web/device/ios.ts'
import {
  isPrivateHost,
  isStorageFull,
  onPermission,
  permissionState,
  probePage,
  probePowerSaving,
} from '#web/device/probes.ts'
import { onVisible } from '#web/device/visibility.ts'
import type { PhoneInput } from './phoneChecks.ts'
import { useBattery } from './useBattery.ts'

type Probed = Pick<
  PhoneInput,
  'page' | 'permission' | 'savesPower' | 'storage' | 'installed' | 'notifications'
>

export interface Probes extends Probed, Pick<PhoneInput, 'battery' | 'ios'> {
  /** Returns the input of the network's check, once it is known whether the server responds. */
  readonly networkOf: (online: boolean | null) => PhoneInput['network']
  /** Repeats all of them, and requests persistent storage. Requires a user gesture. */
  readonly again: () => void
}

const unknown: Probed & { network: PermissionState | 'unknown' } = {
  page: null,
  permission: 'unknown',
  savesPower: null,
  storage: null,
  installed: false,
  notifications: 'unsupported',
  network: 'unknown',
}

/** Probes the phone except position and sound. Repeated when the page becomes visible. */
export function useProbes(): Probes {
  const [ios] = useState(thisIos)
  const [probed, setProbed] = useState(unknown)
  const probe = useCallback((mayAsk: boolean) => {
    const put = (part: Partial<typeof unknown>) => setProbed(now => ({ ...now, ...part }))
    put({ installed: isInstalled(), notifications: notificationPermission() })
    void probePage().then(page => put({ page }))
    void permissionState('geolocation').then(permission => put({ permission }))
    void permissionState('local-network-access').then(network => put({ network }))
    void probePowerSaving().then(savesPower => put({ savesPower }))
    void probeStorage(mayAsk).then(storage => put({ storage }))
  }, [])
  useEffect(() => {
    const look = () => probe(false)
    look()
    const stops = [onVisible(look), onPermission('geolocation', look)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [probe])
  return {
    ...probed,
    ios,
    battery: useBattery(),
    networkOf: online => {
      if (!isPrivateHost(location.hostname)) return 'public'
      if (probed.network === 'denied') return 'denied'
      return online === null ? null : online ? 'reached' : 'unreached'
    },
    again: () => probe(true),
  }
}

async function probeStorage(mayAsk: boolean): Promise<PhoneInput['storage']> {
  try {
    const { durableStorage } = await import('#web/offline/persist.ts')
    const storage = await durableStorage(mayAsk)
    return storage !== 'none' && (await isStorageFull()) ? 'full' : storage
  } catch {
    // Without this code no positions can be stored either.
    return 'none'
  }
}

function notificationPermission(): PhoneInput['notifications'] {
  return 'Notification' in window ? Notification.permission : 'unsupported'
}
