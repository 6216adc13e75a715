import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import typography from '../theme/typography.module.css'
import styles from './Receipt.module.css'

type SectorState = 'dark' | 'runs' | 'done' | 'failed'

/** How serious a receipt is: decides its colour. `due` wants an action of the team. */
export type ReceiptLevel = 'plain' | 'good' | 'bad' | 'due'

/** Server, driver's screen, driver. */
type Sectors = readonly [SectorState, SectorState, SectorState]

export interface ReceiptProps {
  /** Delivery progress, in the style of a timing screen. */
  sectors?: Sectors
  icon?: LucideIcon
  /** Visible text. */
  text: string
  /** Visible after the text, if the board is wide enough. */
  detail?: string
  /** Announced to screen readers when it changes. */
  announcement: string
  /** The report for screen readers, in a part of its own: when it ends, the delivery is not announced again. */
  reportAnnouncement?: string
  /** A running age next to the text; not announced. */
  age?: string | null
  /** The reason of a failure, on a line of its own. */
  warning?: string | null
  level?: ReceiptLevel
  /** A report of the driver beside the delivery, on a line of its own. */
  report?: ReactNode
  /** Figures that warn, in place of the mini-sectors on screens that have no room for figures. */
  due?: ReactNode
  /** A plate or a link beside the lines. */
  action?: ReactNode
  /** A button beside the lines that repairs what failed. */
  repair?: ReactNode
}

/** Three mini-sectors and one line: the delivery state of the current message. */
export function Receipt(props: ReceiptProps) {
  const { sectors, icon: Icon, text, detail, announcement, age = null, warning = null } = props
  const { level = 'plain', report, reportAnnouncement, due, action, repair } = props
  return (
    <div className={styles.receipt}>
      {/* Always rendered: screen readers announce only changes of a live region that exists already. */}
      <output className={typography.hidden} aria-atomic={false}>
        <span>{announcement}</span>
        {reportAnnouncement !== undefined && (
          <span>{`${announcement === '' ? '' : '. '}${reportAnnouncement}`}</span>
        )}
      </output>
      <div className={styles.lines}>
        {warning !== null && <p className={styles.warning}>{warning}</p>}
        {due}
        {report !== undefined && <p className={styles.report}>{report}</p>}
        {sectors && <MiniSectors states={sectors} />}
        <div className={styles.line} data-level={level}>
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
        </div>
      </div>
      {action}
      {repair}
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
