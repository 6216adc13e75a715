import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useParams } from 'react-router'
import type { Person } from '#contract/users.ts'
import { deskText } from '#support/web/text/desk.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { nameOf, pageOf, plateOf } from '../deskNames.ts'
import { visitorsQuery } from '../deskQueries.ts'
import { SeenPage } from '../page/SeenPage.tsx'
import type { Tool } from '../page/usePointing.ts'
import { Requests } from '../Requests.tsx'
import styles from './Visit.module.css'
import { VisitNotice } from './VisitNotice.tsx'
import { VisitConnection, type VisitState } from './visitConnection.ts'

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

interface Props {
  connection: VisitConnection
  person: Person | undefined
  /** The page is in the list of pages online. */
  there: boolean
  /** Another tab covers it, or the phone is locked. */
  hidden: boolean
  onAgain: () => void
}

/** One page of a visitor: the agent's requests, and the page itself. */
function Visit({ connection, person, there, hidden, onAgain }: Props) {
  const state = useSyncExternalStore(connection.subscribe, connection.state)
  const [selected, setSelected] = useState<Tool>('use')
  const tools = toolsFor(state)
  const tool = tools.includes(selected) ? selected : (tools[0] ?? null)
  return (
    <div className={styles.visit}>
      <section aria-labelledby="requests">
        <SectionHead id="requests" title={deskText.requests} />
        <VisitNotice
          connection={state.connection}
          there={there}
          hidden={hidden}
          onAgain={onAgain}
        />
        <Requests
          connection={connection}
          state={state}
          reachable={state.connection === 'open' && there}
          fileName={fileNameFor(person)}
        />
      </section>
      <section aria-labelledby="view">
        <SectionHead id="view" title={deskText.view} />
        <SeenPage
          connection={connection}
          seen={state.control === 'granted' || state.recording === 'granted'}
          name={nameOf(person)}
          tools={tools}
          tool={tool}
          onTool={setSelected}
        />
      </section>
    </div>
  )
}

/** Control allows using and drawing; a call allows drawing only. */
function toolsFor({ control, recording, call }: VisitState): readonly Tool[] {
  if (control === 'granted') return ['use', 'draw']
  return call === 'granted' && recording === 'granted' ? ['draw'] : []
}

/** Removes characters that file systems may not allow. */
function fileNameFor(person: Person | undefined): string {
  const name = plateOf(person)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
  return `pitboard-${name || 'visit'}`
}
