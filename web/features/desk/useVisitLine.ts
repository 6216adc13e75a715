import { useCallback, useEffect, useState } from 'react'
import { command } from '#web/api/call.ts'
import { VisitLine } from './visitLine.ts'

/** The line to one page of a visit, for as long as it is looked at. `again` opens a new one. */
export function useVisitLine(visitId: string, tabId: string) {
  const [line, setLine] = useState<VisitLine | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const over = new AbortController()
    let opened: VisitLine | null = null
    async function open() {
      try {
        const pass = await command('support.join', { visitId }, { signal: over.signal })
        if (over.signal.aborted) return
        opened = new VisitLine(pass, tabId)
        setLine(opened)
      } catch (reason) {
        if (!over.signal.aborted) setError(reason)
      }
    }
    void open()
    return () => {
      over.abort()
      opened?.close()
      setLine(null)
    }
  }, [visitId, tabId, attempt])
  const again = useCallback(() => {
    setError(null)
    setAttempt(before => before + 1)
  }, [])
  return { line, error, again }
}
