import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { useParams } from 'react-router'
import { deskText } from '#support/web/text/desk.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { nameOf, pageOf } from '../deskNames.ts'
import { visitorsQuery } from '../deskQueries.ts'
import { Visit } from './Visit.tsx'
import { VisitConnection } from './visitConnection.ts'

/** One page of a visitor who is online. Leaving this screen ends control, recording and call. */
export function VisitScreen() {
  const { visitId = '', tabId = '' } = useParams()
  const { data: visitors } = useQuery(visitorsQuery)
  const visitor = visitors?.find(each => each.visitId === visitId)
  const tab = visitor?.tabs.find(each => each.tabId === tabId)
  const { connection, error, again } = useVisitConnection(visitId, tabId)
  const name = visitor ? nameOf(visitor.person) : deskText.visit
  return (
    <SubPage
      page={name}
      sub={visitor && pageOf(visitor, tabId)[0]}
      backTo="/support"
      back={deskText.back}
      wide
    >
      {error !== null && (
        <LoadFailed title={deskText.joinFailed} message={refusalText(error)} onRetry={again} />
      )}
      {!connection && error === null && <SkeletonRows label={deskText.opening} detailPx={210} />}
      {connection && (
        <Visit
          connection={connection}
          person={visitor?.person}
          there={!visitors || tab !== undefined}
          hidden={tab?.active === false}
          onAgain={again}
        />
      )}
    </SubPage>
  )
}

/** Opens the connection to one page of a visit and closes it on unmount. `again` replaces it, as a retry. */
function useVisitConnection(visitId: string, tabId: string) {
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
