import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './ActionCard.module.css'
import typography from './theme/typography.module.css'

interface Props {
  icon: ReactNode
  /** The name of the action, before its explanation. */
  lead: string
  children: ReactNode
}

/** An action card that acts on this page instead of linking. Disabled without `onAct`. */
export function ActionButton({ onAct, ...card }: Props & { onAct?: () => void }) {
  return (
    <button type="button" className={styles.card} disabled={!onAct} onClick={onAct}>
      <Content {...card} />
    </button>
  )
}

/** A card that links to one action. */
export function ActionCard({ to, ...card }: Props & { to: string }) {
  return (
    <Link to={to} className={styles.card}>
      <Content {...card} />
    </Link>
  )
}

function Content({ icon, lead, children }: Props) {
  return (
    <>
      <span>
        <b className={typography.lead}>{lead}</b>
        <span className={typography.dash}> - </span>
        {children}
      </span>
      {icon}
    </>
  )
}
