import { useState, useSyncExternalStore } from 'react'
import { mediaButton } from '#web/device/mediaButton.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import type { PhoneInput } from './phoneChecks.ts'
import type { Device } from './useDevice.ts'
import { type Gps, useGps } from './usePosition.ts'
import { useProbes } from './useProbes.ts'
import { useVoiceSetting } from './useVoice.ts'

interface Options {
  gps: Gps
  online: boolean
  device: Pick<Device, 'awake' | 'sound'>
  /** Follows each reading only then, for its accuracy. */
  isReadying: boolean
}

/** Returns the state of the phone in the car for its checks, and a function that repeats them in a user gesture. */
export function usePhoneInput({ gps, online, device, isReadying }: Options) {
  const { clock } = useChannel()
  const { networkOf, again, ...probes } = useProbes()
  const position = usePositionInput(gps, isReadying)
  const input: PhoneInput = {
    ...probes,
    ...position,
    network: networkOf(online),
    online,
    roundTripMs: clock.roundTripMs,
    clockAheadMs: clock.isSynchronized ? -clock.offsetMs : null,
    awake: device.awake.state,
    sound: device.sound.state,
    mediaButton: useMediaButtonState(),
    voice: useVoiceSetting().state,
  }
  return { input, again }
}

/** A place of this many metres is one that the browser has blurred, not a poor reception. */
const approximateM = 1000

/** So many such readings in a row, because the first one of a receiver may be as poor. */
const approximateAfter = 3

/** Returns the state of the position. `showsAccuracy` follows each reading. */
export function usePositionInput(
  gps: Gps,
  showsAccuracy: boolean,
): Pick<PhoneInput, 'gps' | 'accuracyM' | 'approximate'> {
  const state = useGps(gps, each => each.state)
  const accuracyM = useGps(gps, ({ reading }) => {
    const metres = reading?.accuracyM ?? null
    return showsAccuracy || (metres ?? 0) >= approximateM ? metres : null
  })
  const reading = useGps(gps, each =>
    (each.reading?.accuracyM ?? 0) >= approximateM ? each.reading : null,
  )
  const [blurred, setBlurred] = useState({ reading, count: 0 })
  if (blurred.reading !== reading)
    setBlurred({ reading, count: reading === null ? 0 : blurred.count + 1 })
  return { gps: state, accuracyM, approximate: blurred.count >= approximateAfter }
}

function useMediaButtonState(): PhoneInput['mediaButton'] {
  return useSyncExternalStore(
    listener => mediaButton.onState(listener),
    () => mediaButton.state,
  )
}
