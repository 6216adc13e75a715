import { useState, useSyncExternalStore } from 'react'
import type { Person } from '#contract/users.ts'
import { deskText } from '#support/web/text/desk.ts'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { nameOf, plateOf } from '../deskNames.ts'
import { SeenPage } from '../page/SeenPage.tsx'
import type { Tool } from '../page/usePointing.ts'
import { Requests } from '../Requests.tsx'
import styles from './Visit.module.css'
import { VisitNotice } from './VisitNotice.tsx'
import type { VisitConnection, VisitState } from './visitConnection.ts'

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
export function Visit({ connection, person, there, hidden, onAgain }: Props) {
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
