import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './Receipt.module.css'

type SectorState = 'dark' | 'runs' | 'done' | 'failed'

interface Props {
  /** How far it has come, as on a timing screen. */
  sectors?: readonly [SectorState, SectorState, SectorState]
  icon: LucideIcon | null
  /** Read out when it changes. */
  text: string
  /** Read out after the text, and seen where the board is wide enough. */
  detail?: string
  /** Counts on beside the text, and is not read out each time. */
  age?: string | null
  warning?: string | null
  tone?: 'plain' | 'good' | 'bad'
  /** A button or a link at the end of the line. */
  action?: ReactNode
}

/** Three mini-sectors and one line: what became of what was sent. */
export function Receipt(props: Props) {
  const { sectors, icon: Icon, text, detail, age = null, warning = null } = props
  const { tone = 'plain', action } = props
  return (
    <div className={styles.receipt}>
      {sectors && <Sectors states={sectors} />}
      <div className={styles.line} data-tone={tone}>
        {Icon && <Icon aria-hidden />}
        <output>
          {text}
          {detail !== undefined && <span className={styles.detail}> {detail}</span>}
        </output>
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

function Sectors({ states }: { states: readonly SectorState[] }) {
  const complete = states.every(state => state === 'done')
  return (
    <div className={styles.sectors} data-complete={complete || undefined} aria-hidden>
      {states.map((state, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- three places that never move
        <i key={index} data-state={state} />
      ))}
    </div>
  )
}

/** Keeps the slot's height when there is nothing to tell; what it says is read out, not seen. */
export function EmptyReceipt({ text }: { text: string }) {
  return (
    <div className={styles.receipt}>
      <output className={styles.hidden}>{text}</output>
    </div>
  )
}
