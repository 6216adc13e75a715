import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { useLine } from '#web/live/useLive.ts'

/** How often what could not be sent is tried again while there is a line. */
const tryAgainMs = 30_000

/**
 * As soon as there is a line, what was driven in a dead zone is sent, whatever screen is open; and once
 * more with another screen: the one before may have been that of the drive.
 */
export function useKeptFixes(userId: string) {
  const open = useLine() === 'open'
  const { pathname } = useLocation()
  useEffect(() => {
    if (!open) return
    const send = async () => {
      const { sendKeptFixes } = await import('#web/features/drive/sendKeptFixes.ts')
      await sendKeptFixes(userId)
    }
    const trySend = () => void send().catch(reportError)
    trySend()
    const timer = setInterval(trySend, tryAgainMs)
    return () => clearInterval(timer)
  }, [open, userId, pathname])
}
