import { useEffect, useState } from 'react'
import { canHavePasskey } from '#web/device/passkeys.ts'

/** Returns true if a passkey can be offered on this device; false until the browser has answered. */
export function useCanHavePasskey(): boolean {
  const [can, setCan] = useState(false)
  useEffect(() => void canHavePasskey().then(setCan), [])
  return can
}
