import { type TrustedReading, trustedReading } from '#contract/fix.ts'

/** Why there is no position. `missing`: this device has no receiver, or its browser does not ask it. */
type NoPosition = 'unavailable' | 'denied' | 'timeout' | 'missing'

/** What the receiver says: a reading after our rules, or why there is none. */
type Position =
  | { readonly reading: TrustedReading; readonly missing: null }
  | { readonly reading: null; readonly missing: NoPosition }

// Source: specification, section 9.
const options: PositionOptions = { enableHighAccuracy: true, timeout: 5000, maximumAge: 250 }

// A watch that failed may say nothing ever again, in some browsers also after its permission came.
const restartAfterMs = 5000

const reasons: Record<number, NoPosition> = { 1: 'denied', 2: 'unavailable', 3: 'timeout' }

/** Follows the device's position until undone. An error that no reading follows makes it begin anew. */
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
      ({ coords }) => {
        clearTimeout(restart)
        restart = undefined
        onPosition({ reading: trustedReading(coords), missing: null })
      },
      error => {
        onPosition({ reading: null, missing: reasons[error.code] ?? 'unavailable' })
        // Mostly the watch goes on by itself, and its next reading calls this off.
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
