import { useCallback, useEffect, useState } from 'react'
import { command } from '#web/api/call.ts'
import { VisitConnection } from './visitConnection.ts'

/** Opens the connection to one page of a visit and closes it on unmount. `again` replaces it, as a retry. */
export function useVisitConnection(visitId: string, tabId: string) {
  const [connection, setConnection] = useState<VisitConnection | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    let opened: VisitConnection | null = null
    async function open() {
      try {
        const pass = await command('support.join', { visitId }, { signal: controller.signal })
        if (controller.signal.aborted) return
        opened = new VisitConnection(pass, tabId)
        setConnection(opened)
      } catch (reason) {
        if (!controller.signal.aborted) setError(reason)
      }
    }
    void open()
    return () => {
      controller.abort()
      opened?.close()
      setConnection(null)
    }
  }, [visitId, tabId, attempt])
  const again = useCallback(() => {
    setError(null)
    setAttempt(before => before + 1)
  }, [])
  return { connection, error, again }
}
