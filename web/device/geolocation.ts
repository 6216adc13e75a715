import { type TrustedReading, trustedReading } from '#contract/shared/fix.ts'

/** Reason for a missing position. `missing`: no geolocation API in this browser. */
type NoPosition = 'unavailable' | 'denied' | 'timeout' | 'missing'

/** A filtered reading of the receiver, or the reason for none. */
type Position =
  | { readonly reading: TrustedReading; readonly receiverMs: number; readonly missing: null }
  | { readonly reading: null; readonly missing: NoPosition }

// Source: DR-22 in docs/specification.tsv.
const options: PositionOptions = { enableHighAccuracy: true, timeout: 5000, maximumAge: 250 }

// A failed watch may stay silent for good, in some browsers even after the permission is granted.
const restartAfterMs = 5000

const reasons: Record<number, NoPosition> = { 1: 'denied', 2: 'unavailable', 3: 'timeout' }

/**
 * Watches the device's position. Restarts the watch after an error that no reading follows. Returns the
 * cleanup function.
 */
export function watchPosition(onPosition: (position: Position) => void): () => void {
  if (!('geolocation' in navigator)) {
    onPosition({ reading: null, missing: 'missing' })
    return () => undefined
  }
  let watch: number | undefined
  let restart: ReturnType<typeof setTimeout> | undefined
  const begin = () => {
    restart = undefined
    watch = navigator.geolocation.watchPosition(
      ({ coords, timestamp }) => {
        clearTimeout(restart)
        restart = undefined
        onPosition({ reading: trustedReading(coords), receiverMs: timestamp, missing: null })
      },
      error => {
        onPosition({ reading: null, missing: reasons[error.code] ?? 'unavailable' })
        // Usually the watch recovers, and its next reading cancels this restart.
        restart ??= setTimeout(() => {
          end()
          begin()
        }, restartAfterMs)
      },
      options,
    )
  }
  const end = () => {
    clearTimeout(restart)
    if (watch !== undefined) navigator.geolocation.clearWatch(watch)
    watch = undefined
  }
  begin()
  return end
}

/** Lets the browser ask for the location again. A running watch has it some seconds later. Requires a user gesture. */
export function askForPosition() {
  navigator.geolocation.getCurrentPosition(
    () => undefined,
    () => undefined,
    options,
  )
}
