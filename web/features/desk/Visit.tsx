import { useState, useSyncExternalStore } from 'react'
import type { Person } from '#contract/users.ts'
import { deskText } from '#web/text/desk.ts'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { nameOf, plateOf } from './deskNames.ts'
import { Requests } from './Requests.tsx'
import { SeenPage } from './SeenPage.tsx'
import type { Tool } from './usePointing.ts'
import styles from './Visit.module.css'
import { VisitNotice } from './VisitNotice.tsx'
import type { VisitLine, VisitState } from './visitLine.ts'

interface Props {
  line: VisitLine
  person: Person | undefined
  /** The page is among those that are online. */
  there: boolean
  /** Another tab covers it, or its phone is locked. */
  hidden: boolean
  onAgain: () => void
}

/** What an agent asks of one page, and what they see of it. */
export function Visit({ line, person, there, hidden, onAgain }: Props) {
  const state = useSyncExternalStore(line.subscribe, line.state)
  const [wanted, setWanted] = useState<Tool>('use')
  const tools = toolsFor(state)
  const tool = tools.includes(wanted) ? wanted : (tools[0] ?? null)
  return (
    <div className={styles.visit}>
      <section className={styles.requests} aria-labelledby="requests">
        <SectionHead id="requests" title={deskText.requests} />
        <VisitNotice line={state.line} there={there} hidden={hidden} onAgain={onAgain} />
        <Requests
          line={line}
          state={state}
          reachable={state.line === 'open' && there}
          fileName={fileNameFor(person)}
        />
      </section>
      <section aria-labelledby="view">
        <SectionHead id="view" title={deskText.view} />
        <SeenPage
          line={line}
          seen={state.control === 'granted' || state.recording === 'granted'}
          name={nameOf(person)}
          tools={tools}
          tool={tool}
          onTool={setWanted}
        />
      </section>
    </div>
  )
}

/** With control the page may be used; drawn on it may be during a call too. */
function toolsFor({ control, recording, call }: VisitState): readonly Tool[] {
  if (control === 'granted') return ['use', 'draw']
  return call === 'granted' && recording === 'granted' ? ['draw'] : []
}

/** Without letters that a file system may not want. */
function fileNameFor(person: Person | undefined): string {
  const name = plateOf(person)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
  return `pitboard-${name || 'visit'}`
}
