import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import gears from '../gears.module.css'
import styles from './Receipt.module.css'

type SectorState = 'dark' | 'runs' | 'done' | 'failed'

/** Server, screen, driver. */
type Sectors = readonly [SectorState, SectorState, SectorState]

export interface ReceiptProps {
  /** How far it has come, as on a timing screen. */
  sectors?: Sectors
  icon?: LucideIcon
  /** Seen. */
  text: string
  /** Seen after it, where the board is wide enough. */
  detail?: string
  /** Read out when it changes: what the text says to somebody who does not see the board. */
  said: string
  /** Counts on beside the text, and is not read out each time. */
  age?: string | null
  warning?: string | null
  tone?: 'plain' | 'good' | 'bad'
  /** A button or a link at the end of the line. */
  action?: ReactNode
}

/** Three mini-sectors and one line: what became of what was sent. */
export function Receipt(props: ReceiptProps) {
  const { sectors, icon: Icon, text, detail, said, age = null, warning = null } = props
  const { tone = 'plain', action } = props
  return (
    <div className={styles.receipt}>
      {/* Always here: readers hear what comes into a place that they know. */}
      <output className={gears.hidden}>{said}</output>
      {sectors && <MiniSectors states={sectors} />}
      <div className={styles.line} data-tone={tone}>
        {Icon && <Icon aria-hidden />}
        <span className={styles.text} aria-hidden>
          {text}
          {detail !== undefined && <span className={styles.detail}> {detail}</span>}
        </span>
        {age !== null && (
          <span className={styles.figure} aria-hidden>
            {age}
          </span>
        )}
        {warning !== null && <span className={styles.warning}>{warning}</span>}
        {action}
      </div>
    </div>
  )
}

function MiniSectors({ states }: { states: Sectors }) {
  const [server, screen, driver] = states
  const complete = states.every(state => state === 'done')
  return (
    <div className={styles.sectors} data-complete={complete || undefined} aria-hidden>
      <i data-state={server} />
      <i data-state={screen} />
      <i data-state={driver} />
    </div>
  )
}
