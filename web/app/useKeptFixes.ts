import { useEffect } from 'react'
import { useLine } from '#web/live/useLive.ts'

/** How often what could not be sent is tried again while there is a line. */
const tryAgainMs = 30_000

/** Whatever screen is open: as soon as there is a line, what was driven in a dead zone is sent. */
export function useKeptFixes() {
  const open = useLine() === 'open'
  useEffect(() => {
    if (!open) return
    const send = async () => {
      const { sendKeptFixes } = await import('#web/features/drive/sendKeptFixes.ts')
      await sendKeptFixes()
    }
    const trySend = () => void send().catch(reportError)
    trySend()
    const timer = setInterval(trySend, tryAgainMs)
    return () => clearInterval(timer)
  }, [open])
}
