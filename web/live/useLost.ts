import { useEffect, useState } from 'react'
import { useHasStatus } from './useLive.ts'

/** A reconnect within this time shows no notice, in milliseconds. */
const graceMs = 1500

/** True while this device cannot reach the server, apart from a short interruption. */
export function useLost(): boolean {
  const isLost = useHasStatus('lost')
  const [lasted, setLasted] = useState(false)
  useEffect(() => {
    if (!isLost) return
    const timer = setTimeout(() => setLasted(true), graceMs)
    return () => {
      clearTimeout(timer)
      setLasted(false)
    }
  }, [isLost])
  return isLost && lasted
}
